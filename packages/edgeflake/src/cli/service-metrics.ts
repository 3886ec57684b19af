// Provides Prometheus metrics of `edgeflake authority serve` about its HTTP server and its disk.

/** The upper bounds of a histogram's buckets, in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

class Histogram {
  #counts = BOUNDS.map(() => 0);
  #count = 0;
  #sum = 0;

  add(seconds: number) {
    for (const [i, bound] of BOUNDS.entries()) if (seconds <= bound) this.#counts[i] += 1;
    this.#count += 1;
    this.#sum += seconds;
  }

  lines(name: string) {
    const buckets = BOUNDS.map((bound, i) => `${name}_bucket{le="${bound}"} ${this.#counts[i]}`);
    buckets.push(`${name}_bucket{le="+Inf"} ${this.#count}`);
    return [...buckets, `${name}_sum ${this.#sum}`, `${name}_count ${this.#count}`];
  }
}

export class ServiceMetrics {
  commits: Histogram = new Histogram();
  #answers = new Histogram();
  #statuses = new Map<number, number>();
  /** The time of arrival, in ms, of each unanswered request, the earliest first. */
  #waiting = new Map<object, number>();

  began(request: object, nowMs: number) {
    this.#waiting.set(request, nowMs);
  }

  ended(request: object, status: number, seconds: number) {
    this.#waiting.delete(request);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#answers.add(seconds);
  }

  text(nowMs: number) {
    const counts = [...this.#statuses].map(
      ([status, count]) => `edgeflake_http_responses_total{status="${status}"} ${count}`,
    );
    const [oldestMs = nowMs] = this.#waiting.values();
    return [
      "# HELP edgeflake_http_responses_total Number of answers by status. The status is 499 if " +
        "the caller had gone.",
      "# TYPE edgeflake_http_responses_total counter",
      ...counts,
      "# HELP edgeflake_http_response_seconds Time from the arrival of a request to the end of " +
        "its answer.",
      "# TYPE edgeflake_http_response_seconds histogram",
      ...this.#answers.lines("edgeflake_http_response_seconds"),
      "# HELP edgeflake_commit_seconds Time of a commit to the disk.",
      "# TYPE edgeflake_commit_seconds histogram",
      ...this.commits.lines("edgeflake_commit_seconds"),
      "# HELP edgeflake_http_queue_age_seconds Age of the oldest request without an answer.",
      "# TYPE edgeflake_http_queue_age_seconds gauge",
      `edgeflake_http_queue_age_seconds ${(nowMs - oldestMs) / 1e3}\n`,
    ].join("\n");
  }
}

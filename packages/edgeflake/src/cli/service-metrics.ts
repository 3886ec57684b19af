// Provides Prometheus metrics of `edgeflake authority serve` about its HTTP server and its disk.

/** The upper bounds of a histogram's buckets, in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** A histogram in Prometheus's text format. */
class Histogram {
  #name;
  #help;
  #counts = BOUNDS.map(() => 0);
  #count = 0;
  #sum = 0;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(seconds: number) {
    for (const [i, bound] of BOUNDS.entries()) if (seconds <= bound) this.#counts[i] += 1;
    this.#count += 1;
    this.#sum += seconds;
  }

  text() {
    const name = this.#name;
    const buckets = BOUNDS.map((bound, i) => `${name}_bucket{le="${bound}"} ${this.#counts[i]}\n`);
    return `${head(name, "histogram", this.#help)}${buckets.join("")}${name}_bucket{le="+Inf"} ${this.#count}
${name}_sum ${this.#sum}
${name}_count ${this.#count}
`;
  }
}

const head = (name: string, kind: string, help: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;

export class ServiceMetrics {
  /** The time of arrival, in ms, of each unanswered request, the earliest first. */
  #waiting = new Map<object, number>();
  #statuses = new Map<number, number>();
  #answers = new Histogram(
    "edgeflake_http_response_seconds",
    "Time from the arrival of a request to the end of its answer.",
  );
  #commits = new Histogram("edgeflake_commit_seconds", "Time of a commit to the disk.");

  began(request: object, nowMs: number) {
    this.#waiting.set(request, nowMs);
  }

  ended(request: object, status: number, seconds: number) {
    this.#waiting.delete(request);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#answers.add(seconds);
  }

  committed(seconds: number) {
    this.#commits.add(seconds);
  }

  text(nowMs: number) {
    const responses = "edgeflake_http_responses_total";
    const counts = [...this.#statuses].map(
      ([status, count]) => `${responses}{status="${status}"} ${count}\n`,
    );
    const [oldestMs = nowMs] = this.#waiting.values();
    const age = "edgeflake_http_queue_age_seconds";
    return [
      head(
        responses,
        "counter",
        "Number of answers by status. The status is 499 if the caller had gone.",
      ),
      ...counts,
      this.#answers.text(),
      this.#commits.text(),
      head(age, "gauge", "Age of the oldest request without an answer."),
      `${age} ${(nowMs - oldestMs) / 1e3}\n`,
    ].join("");
  }
}

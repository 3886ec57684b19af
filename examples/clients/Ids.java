// Gets ids from edgeflake's Worker, in Java 17 or newer, without libraries.
//
//   java Ids.java 1000 300  # prints 1,000 ids, and fetches 300 per request
//
// Set EDGEFLAKE_URL to your Worker's URL, and EDGEFLAKE_ISSUE_TOKEN to the Worker's secret of this
// name.

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.concurrent.*;
import java.util.regex.Pattern;

/** Hands out ids from memory. Fetches the next batch when half of the current batch is left. */
final class Ids {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private final HttpClient http = HttpClient.newHttpClient();
  private final int size;
  private LongBuffer batch = LongBuffer.allocate(0);
  private CompletableFuture<LongBuffer> refill; // null when no batch is on its way

  Ids(int size) {
    this.size = size;
  }

  /** Returns the next id, an unsigned 64-bit number. Any thread may call this method. */
  long next() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      CompletableFuture<LongBuffer> coming;
      synchronized (this) {
        if (!batch.hasRemaining() && refill != null && refill.isDone()) {
          if (!refill.isCompletedExceptionally()) batch = refill.join();
          refill = null;
        }
        if (refill == null && batch.remaining() <= batch.capacity() / 2) {
          refill = CompletableFuture.supplyAsync(this::fetchBatch);
        }
        if (batch.hasRemaining()) return batch.get();
        coming = refill;
      }
      try {
        coming.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw new IOException("no id within " + PATIENCE.toMillis() + " ms", e);
      } catch (ExecutionException e) {
        throw new IOException(e.getCause().getMessage(), e);
      }
    }
  }

  private LongBuffer fetchBatch() {
    try {
      return fetch(size);
    } catch (IOException | InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  /** Requests ids, and tries again after `Retry-After` if the deadline allows that. */
  LongBuffer fetch(int count) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var uri = URI.create(System.getenv("EDGEFLAKE_URL") + "/v1/ids?format=binary&count=" + count);
    while (true) {
      var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      var request = HttpRequest.newBuilder(uri)
          .timeout(left)
          .header("Authorization", "Bearer " + System.getenv("EDGEFLAKE_ISSUE_TOKEN"))
          .POST(HttpRequest.BodyPublishers.noBody());
      var response = http.send(request.build(), BodyHandlers.ofByteArray());
      // The body has eight bytes per id, the most significant first, as a ByteBuffer reads them.
      if (response.statusCode() == 200) return ByteBuffer.wrap(response.body()).asLongBuffer();
      long retryAfter = response.headers().firstValueAsLong("Retry-After").orElse(Long.MAX_VALUE);
      if (retryAfter > left.toSeconds()) throw new IOException(problem(new String(response.body())));
      TimeUnit.SECONDS.sleep(retryAfter);
    }
  }

  /** Returns the title and the JSON of an error response. The JSON says what was wrong. */
  private static String problem(String json) {
    var title = Pattern.compile("\"title\":\"([^\"]*)\"").matcher(json);
    return (title.find() ? title.group(1) : "the answer is not from edgeflake") + ": " + json;
  }

  public static void main(String[] args) throws InterruptedException {
    int count = Integer.parseInt(args[0]);
    var ids = new Ids(Integer.parseInt(args[1]));
    try {
      for (int i = 0; i < count; i++) System.out.println(Long.toUnsignedString(ids.next()));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}

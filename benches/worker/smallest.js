// The smallest handler in JavaScript. No Worker in any language can be faster.

export default {
  fetch() {
    return new Response("1");
  },
};

// The smallest handler in JavaScript, which no Worker in any language can be faster than.

export default {
  fetch() {
    return new Response("1");
  },
};

/** The story is loaded when its part is first shown. */
export function Story() {
  return <h1>Why no clock can repeat an id</h1>;
}

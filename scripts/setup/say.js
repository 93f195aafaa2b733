/** One line for the person who waits. */
export function say(line) {
  console.error(`tandem: ${line}`)
}

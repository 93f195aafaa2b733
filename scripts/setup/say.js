/** Prints one line for the waiting user. */
export function say(line) {
  console.error(`tandem: ${line}`)
}

/** Prints one line for the waiting user. */
export function log(line) {
  console.error(`tandem: ${line}`)
}

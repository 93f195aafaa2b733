// Room that one piece of work after the other uses, each from beginning to end without waiting. Making such room anew each time costs more
// than what is done in it: it counts as garbage by its size.

const kept = 8 * 1024 * 1024

type Scratch = (bytes: number) => Buffer

/** Gives room for at least so many bytes. What is in it holds until it is asked again. */
export function openScratch(): Scratch {
  let room = Buffer.alloc(0)
  return (bytes) => {
    if (bytes > kept) return Buffer.allocUnsafeSlow(bytes)
    if (bytes > room.length) room = Buffer.allocUnsafeSlow(Math.min(kept, Math.max(2 * room.length, bytes)))
    return room
  }
}

/**
 * Gives the memory of large bytes back, at once: left to the collector, hundreds of kilobytes a request make him go through everything
 * there is again and again. Nobody may hold them any longer, not even a part of them.
 */
export function giveBack(bytes: Buffer): void {
  // Smaller ones share their memory with others.
  if (bytes.length > Buffer.poolSize && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

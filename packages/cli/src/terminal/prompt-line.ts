// Reads a line that the user types at the terminal.
import { createInterface } from 'node:readline/promises'

/** Null if there is no terminal, or nothing was typed. */
export async function promptLine(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    const gone = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
    return (await Promise.race([lines.question(question), gone]))?.trim() || null
  } finally {
    lines.close()
  }
}

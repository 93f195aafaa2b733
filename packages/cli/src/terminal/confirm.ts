// A yes/no question to the user at the terminal. Without a user, the answer is not yes.
import { createInterface } from 'node:readline/promises'

/** Null if there is no user to ask; canceling is not a yes. */
export async function confirm(question: string): Promise<'yes' | 'no' | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const gone = new Promise<'no'>((resolve) => lines.once('close', () => resolve('no')))
  try {
    for (;;) {
      const typed = await Promise.race([lines.question(`${question} [y]es, [n]o: `), gone])
      const word = typed.trim().toLowerCase()
      if (word === 'y' || word === 'yes') return 'yes'
      if (word === 'n' || word === 'no') return 'no'
    }
  } finally {
    lines.close()
  }
}

// The next message of a process that works for a benchmark.
import type { ChildProcess } from 'node:child_process'

export function reply(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => child.off('message', hear).off('exit', left)
    const hear = (message: { value?: unknown; error?: string }) => {
      end()
      if (message.error === undefined) resolve(message.value)
      else reject(new Error(message.error))
    }
    const left = (code: number | null) => {
      end()
      reject(new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code}`))
    }
    child.on('message', hear).on('exit', left)
  })
}

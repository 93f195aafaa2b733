import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Waits until it has ended: otherwise it would write into a folder that is being deleted. */
export async function killAndWait(child: ChildProcess): Promise<void> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  if (!isOver && child.kill('SIGKILL')) await once(child, 'exit')
}

// The test S3 API in its own process: its memory is not counted with the server's.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { S3Target } from '../../src/blobs/s3.ts'
import { startTestS3 } from './test-s3.ts'

export async function startS3Process(folder: string): Promise<{ target: S3Target; stop(): Promise<void> }> {
  const child = fork(import.meta.filename, [folder])
  const [target]: S3Target[] = await once(child, 'message')
  if (!target) throw new Error('the S3 server of the tests did not say where it listens')
  return {
    target,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

if (import.meta.main) {
  const { target, stop } = await startTestS3(String(process.argv[2]))
  process.once('disconnect', () => stop())
  process.send?.(target)
}

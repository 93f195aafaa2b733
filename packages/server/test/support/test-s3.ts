// A real S3 API for tests, in this process. It checks signatures.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { S3Target } from '../../src/blobs/s3.ts'

export interface TestS3 {
  readonly target: S3Target
  /** Parts of uploads that were neither completed nor aborted. */
  unfinishedUploads(): Promise<string[]>
  /** The next requests with a matching method get this status instead of a response. */
  failNext(method: string, status: number, times: number): void
  readonly requests: string[]
  stop(): Promise<void>
}

export async function startTestS3(folder: string): Promise<TestS3> {
  const bucket = 'tandem-files'
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets: [{ name: bucket }] })
  const uploads = join(folder, bucket, '._S3rver_uploads')
  const requests: string[] = []
  const failures: { method: string; status: number; times: number }[] = []

  server.middleware.unshift(async (context, next) => {
    requests.push(`${context.method} ${context.path}`)
    const failure = failures.find(({ method, times }) => method === context.method && times > 0)
    if (failure) {
      failure.times--
      context.req.resume()
      context.status = failure.status
      context.body = '<Error><Code>InternalError</Code></Error>'
      return
    }
    // The one operation we need that this server lacks: AbortMultipartUpload.
    if (context.method === 'DELETE' && context.query.uploadId) {
      await rm(join(uploads, context.query.uploadId), { recursive: true })
      context.status = 204
      return
    }
    // S3 returns 416 for any range of an empty object; this server announces a byte that it does not have.
    if (context.method === 'GET' && context.req.headers.range && (await sizeOf(join(folder, `${context.path}._S3rver_object`))) === 0) {
      context.status = 416
      return
    }
    await next()
  })

  const { port } = await server.run()
  return {
    target: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      access_key: 'S3RVER',
      secret_key: 'S3RVER',
      prefix: '',
    },
    unfinishedUploads: () => readdir(uploads).catch(() => []),
    failNext: (method, status, times) => failures.push({ method, status, times }),
    requests,
    stop: () => server.close(),
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}

// One signed request to an S3 API, retried where that is safe.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { StorageUnavailable, storageFailure } from './failure.ts'

export interface S3Target {
  readonly kind: 's3'
  /** Such as https://s3.eu-central-1.amazonaws.com; the bucket is part of the path, which every S3 API supports. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Prefix of every key, so that one bucket can serve several servers; '' for none. */
  readonly prefix: string
  readonly access_key: string
  readonly secret_key: string
  /** Only with temporary credentials. */
  readonly session_token?: string
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Undefined: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Statuses besides 2xx that the caller handles. */
  readonly accept?: readonly number[]
  /** No retries and a shorter timeout: for health checks. */
  readonly impatient?: true
}

export type S3Client = (request: S3Request) => Promise<Response>

/** From sending to the first byte of the response; its body may take as long as data arrives. */
const patience = { normal: { attempts: 4, withinMs: 30_000 }, impatient: { attempts: 1, withinMs: 5_000 } }

export function createS3Client(target: S3Target, firstDelayMs = 100): S3Client {
  const signer = new AwsClient({
    accessKeyId: target.access_key,
    secretAccessKey: target.secret_key,
    region: target.region,
    service: 's3',
    ...(target.session_token === undefined ? {} : { sessionToken: target.session_token }),
  })
  return async ({ method, key, query = {}, headers = {}, body, accept = [], impatient }) => {
    const { attempts, withinMs } = impatient ? patience.impatient : patience.normal
    const url = new URL(`${target.endpoint.replace(/\/$/, '')}/${target.bucket}${key === undefined ? '' : `/${objectName(target, key)}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const doing = `S3 ${method} ${url.origin}${url.pathname}`
    // The signature covers the content: damaged data is refused, not stored.
    const content = {
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    }

    for (let attempt = 1; ; attempt++) {
      // Signed with the known hash, without the body: the signer would keep copies of it.
      const signed = await signer.sign(url.href, { method, headers: { ...headers, ...content } })
      const outcome = await send(withinMs, signed.url, { method, headers: signed.headers, ...(body ? { body } : {}) })
      if (outcome instanceof Response) {
        if (outcome.ok || accept.includes(outcome.status)) return outcome
        const { status } = outcome
        const refusal = new StorageUnavailable(`${doing}: ${status} ${s3Code(await outcome.text())}`, { status })
        if (status < 500 && status !== 429) throw refusal
        if (attempt === attempts) throw refusal
      } else if (attempt === attempts) {
        throw storageFailure(doing, outcome)
      }
      await sleep(firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
}

/** The name of an object in the bucket. */
export function objectName({ prefix }: Pick<S3Target, 'prefix'>, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`
}

/** The code in S3's error document, such as NoSuchKey. */
export function s3Code(xml: string): string {
  return /<Code>([^<]*)<\/Code>/.exec(xml)?.[1] ?? ''
}

async function send(withinMs: number, url: string, init: RequestInit): Promise<Response | Error> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${withinMs} ms`)), withinMs)
  try {
    return await fetch(url, { ...init, signal: late.signal })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    clearTimeout(timer)
  }
}

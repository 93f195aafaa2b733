// Multipart bodies. A route that accepts them accepts nothing else, and reads them as a stream.
import multipart, { type Multipart } from '@fastify/multipart'
import type { Content, Route } from '@tandem/contract/http'
import { isContent } from '@tandem/contract/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../refusal.ts'

export type { MultipartFile } from '@fastify/multipart'

type MultipartContent = Extract<Content, { content: 'multipart' }>

export function multipartOf(route: Route): MultipartContent | undefined {
  return route.body && isContent(route.body) && route.body.content === 'multipart' ? route.body : undefined
}

/** Makes the routes of `scope` accept multipart. Other content types are not parsed there, so that nothing large is held in memory. */
export async function registerMultipartParser(scope: FastifyInstance, content: MultipartContent): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    // The handler limits the size of the file: it counts while it stores.
    limits: { files: 1, fileSize: Number.POSITIVE_INFINITY, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 4_096, headerPairs: 20 },
    throwFileSizeLimit: false,
    isPartAFile: (name) => name === content.file,
  })
}

/** The parts in order. The file must be read before the next part. */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts()
  } catch (error) {
    throw brokenOff(error)
  }
}

/** The bytes of a file as a stream. */
export async function* bytesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw brokenOff(error)
  }
}

/** Any error while reading is an error of the sender. */
function brokenOff(error: unknown): Error {
  return refuse('invalid_request', `the parts of the body cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}

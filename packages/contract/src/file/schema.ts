import Type, { type Static } from 'typebox'
import { pageQuery } from '../http/list.ts'
import { Count, Id, object, Sha256, Timestamp } from '../shape.ts'

/** Shown to users and suggested as the file name for a download; never a path. */
export const FileName = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^/\\\\\\x00-\\x1f\\x7f]+$' })

export const MediaType = Type.String({ pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$', maxLength: 127 })

export const StoredFile = object({
  id: Id,
  name: FileName,
  size: Count,
  media_type: MediaType,
  sha256: Sha256,
  created_at: Timestamp,
})
export type StoredFile = Static<typeof StoredFile>

/** Text parts in addition to the part `file`; they come before it, so that the file can be checked as it streams. */
export const FileUploadFields = object({
  name: Type.Optional(FileName),
  sha256: Type.Optional(Sha256),
})
export type FileUploadFields = Static<typeof FileUploadFields>

export const FileListQuery = object({
  ...pageQuery,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name' })),
  media_type: Type.Optional(MediaType),
})
export type FileListQuery = Static<typeof FileListQuery>

export const FileGetHeaders = object({
  range: Type.Optional(Type.String({ maxLength: 200 })),
  'if-range': Type.Optional(Type.String({ maxLength: 200 })),
  'if-none-match': Type.Optional(Type.String({ maxLength: 1_000 })),
})

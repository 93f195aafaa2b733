export type { FileListQuery, FileUploadFields, StoredFile } from './schema.ts'

/** The part of a multipart upload that carries the bytes. */
export const uploadPart = 'file'

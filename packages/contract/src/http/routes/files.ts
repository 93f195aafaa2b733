import { uploadPart } from '../../file/index.ts'
import { FileGetHeaders, FileListQuery, FileUploadFields, StoredFile } from '../../file/schema.ts'
import { limits } from '../../limits/index.ts'
import { pageOf } from '../../shape.ts'
import { IdempotencyHeaders, IdParams } from '../list.ts'
import { route } from '../route.ts'
import { file, ids } from './sample.ts'

/** For the other parts of the multipart request, in addition to the maximum size of the file. */
const envelopeBytes = 64 * 1024

export const fileRoutes = {
  files_upload: route({
    id: 'files_upload',
    method: 'POST',
    path: '/api/v1/files/upload',
    tag: 'files',
    summary: 'Upload a file',
    description: 'Streamed. With sha256, the file is stored only if the received content matches.',
    auth: 'user',
    headers: IdempotencyHeaders,
    body: { content: 'multipart', file: uploadPart, fields: FileUploadFields, max_bytes: limits.upload_bytes },
    replies: { 201: StoredFile },
    problems: ['checksum_mismatch', 'storage_unavailable'],
    body_limit: limits.upload_bytes + envelopeBytes,
    rate: 'upload',
    idempotent: true,
    examples: { body: { name: file.name, sha256: file.sha256 }, reply: file },
  }),
  files_list: route({
    id: 'files_list',
    method: 'GET',
    path: '/api/v1/files',
    tag: 'files',
    summary: 'List files',
    description: 'Newest first.',
    auth: 'user',
    query: FileListQuery,
    replies: { 200: pageOf(StoredFile) },
    problems: [],
    rate: 'read',
    examples: { query: { q: 'report' }, reply: { items: [file], next_cursor: null } },
  }),
  files_get: route({
    id: 'files_get',
    method: 'GET',
    path: '/api/v1/files/:id',
    tag: 'files',
    summary: 'Get a file',
    description: 'Supports Range; the ETag is the SHA-256.',
    auth: 'user',
    params: IdParams,
    headers: FileGetHeaders,
    replies: { 200: { content: 'bytes' }, 206: { content: 'bytes' }, 304: { content: 'none' } },
    problems: ['range_not_satisfiable', 'storage_unavailable'],
    rate: 'download',
    examples: { params: { id: ids.file }, reply: 'Region,Total\nNorth,42\n' },
  }),
  files_delete: route({
    id: 'files_delete',
    method: 'DELETE',
    path: '/api/v1/files/:id',
    tag: 'files',
    summary: 'Delete a file',
    auth: 'user',
    params: IdParams,
    replies: { 204: { content: 'none' } },
    problems: ['storage_unavailable'],
    rate: 'write',
    examples: { params: { id: ids.file } },
  }),
}

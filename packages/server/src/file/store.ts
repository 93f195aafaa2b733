import type { FileListQuery, StoredFile } from '@tandem/contract/file'
import type { Sql, TransactionSql } from 'postgres'
import { searchPattern } from '../database/text-search.ts'
import { idCursor } from '../http/page.ts'

interface FileRow {
  id: string
  name: string
  size: string
  media_type: string
  sha256: string
  created_at: Date
}

/** Newest first; up to one more than `size`. */
export async function listFiles(sql: TransactionSql, userId: string, query: FileListQuery, size: number): Promise<StoredFile[]> {
  const { q, media_type } = query
  const after = idCursor('files', query.cursor)
  const rows = await sql<FileRow[]>`
    select id, name, size, media_type, sha256, created_at from tandem.files
    where user_id = ${userId}
      ${q === undefined ? sql`` : sql`and name collate "C" ~ ${searchPattern(q)}`}
      ${media_type === undefined ? sql`` : sql`and media_type = ${media_type.toLowerCase()}`}
      ${after === undefined ? sql`` : sql`and id < ${after}::uuid`}
    order by id desc
    limit ${size + 1}`
  return rows.map(fileOf)
}

export async function findFile(sql: TransactionSql, userId: string, id: string): Promise<StoredFile | undefined> {
  const [row] = await sql<FileRow[]>`
    select id, name, size, media_type, sha256, created_at from tandem.files where user_id = ${userId} and id = ${id}`
  return row && fileOf(row)
}

export async function insertFile(sql: TransactionSql, userId: string, file: StoredFile): Promise<void> {
  const { id, name, size, media_type, sha256, created_at } = file
  await sql`
    insert into tandem.files (user_id, id, name, size, media_type, sha256, created_at)
    values (${userId}, ${id}, ${name}, ${size}, ${media_type}, ${sha256}, ${created_at})`
}

/** Bytes of all files of the user. */
export async function usedBytes(sql: TransactionSql, userId: string): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select coalesce(sum(size), 0)::float8 as bytes from tandem.files where user_id = ${userId}`
  return row.bytes
}

/** Until the commit, no other upload of this user is counted or added. */
export async function lockUsage(sql: TransactionSql, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tandem.files ' || ${userId}, 0))`
}

/** The id as it was stored; undefined if the file did not exist. */
export async function deleteFile(sql: TransactionSql, userId: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`delete from tandem.files where user_id = ${userId} and id = ${id} returning id`
  return row?.id
}

/** Which of `ids` are files of this user. */
export async function knownFiles(owner: Sql, userId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await owner<{ id: string }[]>`
    select id from tandem.files where user_id = ${userId} and id = any(${[...ids]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

function fileOf({ id, name, size, media_type, sha256, created_at }: FileRow): StoredFile {
  return { id, name, size: Number(size), media_type, sha256, created_at: created_at.toISOString() }
}

// Files that a user uploads to the cloud and downloads again: never Tandem's own, and never replacing an existing file.
import { createHash } from 'node:crypto'
import { constants, createReadStream, openAsBlob } from 'node:fs'
import { copyFile, link, realpath, rm, stat } from 'node:fs/promises'
import { basename, extname, isAbsolute, join } from 'node:path'
import { type StoredFile, uploadPart } from '@tandem/contract/file'
import { limits } from '@tandem/contract/limits'
import { systemErrorText } from '@tandem/contract/system-error'
import type { Account } from '../account/account.ts'
import type { CloudFailure, CloudResult } from '../account/cloud-result.ts'
import type { NewId } from '../clock/id.ts'
import { isInside } from '../path/inside.ts'
import { download } from './transport/download.ts'

export type FileOutcome<Value> =
  | { readonly kind: 'ok'; readonly body: Value }
  | { readonly kind: 'unfit'; readonly field: 'path' | 'folder'; readonly problem: string; readonly message: string }
  | CloudFailure

export interface UserFiles {
  list(query: FileQuery): Promise<CloudResult<{ items: StoredFile[]; next_cursor: string | null }>>
  add(path: string): Promise<FileOutcome<StoredFile>>
  /** Returns the path of the downloaded file. */
  save(file_id: string, folder: string): Promise<FileOutcome<string>>
  remove(file_id: string): Promise<CloudResult<unknown>>
}

export interface FileQuery {
  readonly q?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface UserFilePorts {
  readonly account: Pick<Account, 'call' | 'send'>
  /** Tandem's own folder: it contains tokens and keys. */
  readonly home: string
  readonly newId: NewId
}

const longPatience_ms = 10 * 60_000

export function openUserFiles({ account, home, newId }: UserFilePorts): UserFiles {
  /** The real path, if a user may use it here. */
  async function reached(path: string): Promise<{ readonly path: string } | { readonly fault: string }> {
    if (!isAbsolute(path)) return { fault: 'must be an absolute path' }
    try {
      const real = await realpath(path)
      return isInside(real, await realpath(home)) ? { fault: "is in Tandem's own folder" } : { path: real }
    } catch (error) {
      return { fault: `cannot be opened: ${systemErrorText(error)}` }
    }
  }

  async function add(path: string): Promise<FileOutcome<StoredFile>> {
    const unfit = (problem: string) => unfitFor('path', path, problem)
    const there = await reached(path)
    if ('fault' in there) return unfit(there.fault)
    const facts = await stat(there.path)
    if (!facts.isFile()) return unfit('is not a file')
    if (facts.size > limits.upload_bytes) return unfit(`has ${facts.size} bytes; a file can have at most ${limits.upload_bytes}`)
    const name = basename(path)
    if (!/^[^/\\\p{Cc}]{1,255}$/u.test(name)) return unfit('has a name that not every device accepts: rename the file first')
    let sha256: string
    try {
      sha256 = await digestOf(there.path)
    } catch (error) {
      return unfit(`cannot be read: ${systemErrorText(error)}`)
    }
    const form = new FormData()
    form.set('name', name)
    form.set('sha256', sha256)
    form.set(
      uploadPart,
      await openAsBlob(there.path, { type: mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream' }),
      name,
    )
    return await account.call({ method: 'POST', path: '/api/v1/files/upload', form, timeout_ms: longPatience_ms })
  }

  async function save(file_id: string, folder: string): Promise<FileOutcome<string>> {
    const unfit = (problem: string) => unfitFor('folder', folder, problem)
    const there = await reached(folder)
    if ('fault' in there) return unfit(there.fault)
    if (!(await stat(there.path)).isDirectory()) return unfit('is not a folder')
    const answer = await account.send({ method: 'GET', path: `/api/v1/files/${file_id}`, timeout_ms: longPatience_ms })
    if (answer.kind !== 'ok') return answer
    const arriving = join(there.path, `.${newId()}.part`)
    try {
      await download(answer.body, arriving, 'wx')
      return { kind: 'ok', body: await placed(arriving, there.path, nameIn(answer.body.headers.get('content-disposition'))) }
    } catch (error) {
      if (error instanceof Error && 'code' in error && 'syscall' in error) return unfit(`cannot be written: ${systemErrorText(error)}`)
      return { kind: 'unreachable', detail: `the download was interrupted: ${error instanceof Error ? error.message : String(error)}` }
    } finally {
      await rm(arriving, { force: true })
    }
  }

  return {
    list(query) {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
      return account.call({ method: 'GET', path: `/api/v1/files?${new URLSearchParams(given)}` })
    },
    add,
    save,
    remove: (file_id) => account.call({ method: 'DELETE', path: `/api/v1/files/${file_id}` }),
  }
}

/** Sent to the cloud, which does not guess. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

const mostTries = 1_000

/** Under its own name, or with a number if that exists: existing files are kept. */
async function placed(arriving: string, folder: string, name: string): Promise<string> {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  for (let no = 1; no <= mostTries; no += 1) {
    const path = join(folder, no === 1 ? name : `${stem} (${no})${ending}`)
    try {
      await link(arriving, path).catch((error: unknown) => {
        // Not every file system supports links.
        if (codeOf(error) === 'EEXIST') throw error
        return copyFile(arriving, path, constants.COPYFILE_EXCL)
      })
      return path
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  throw Object.assign(new Error(`${name} and all its numbered variants already exist`), { code: 'EEXIST', syscall: 'link' })
}

/** The file name that the cloud suggests, without any path. */
export function nameIn(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? ''
  let name: string
  try {
    name = decodeURIComponent(encoded)
  } catch {
    // Not a valid name.
    name = ''
  }
  const plain = name.replace(/[/\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '_').slice(0, 200)
  return /^[. ]*$/.test(plain) ? 'file' : plain
}

function unfitFor(field: 'path' | 'folder', path: string, problem: string): FileOutcome<never> {
  return { kind: 'unfit', field, problem, message: `${path.slice(0, longestPath)} ${problem}` }
}

/** What is longer is no path on any system. */
const longestPath = 500

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

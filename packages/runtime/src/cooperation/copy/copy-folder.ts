// Copies a folder with a program of the system, which clones files where the file system supports it.
import { spawn } from 'node:child_process'
import { constants, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailure } from '../../call/failure.ts'
import { isInside } from '../../path/inside.ts'
import { findProgram } from '../../path/program.ts'

export interface FolderCopy {
  readonly from: string
  /** Exists and is empty. */
  readonly to: string
  /** Never copied: Tandem's own folder. */
  readonly home: string
  readonly signal: AbortSignal
}

/** What cannot be read is left out. Throws a `ToolFailure` if the disk is full. */
export async function copyFolder(copy: FolderCopy): Promise<void> {
  const program = process.platform === 'win32' ? null : findProgram(['cp'])
  for (const part of partsOf(copy.from, copy.to, copy.home)) {
    copy.signal.throwIfAborted()
    const isCopied = program !== null && (await copyWith(program, part, copy.signal))
    if (!isCopied) await copyInProcess(part, copy)
  }
}

interface Part {
  /** Ends in `/.`, for the contents of a folder, or are paths in one folder. */
  readonly from: readonly string[]
  readonly to: string
}

/** One part, unless Tandem's own folder is in the folder: then the folders that contain it are created, and everything else is copied. */
function partsOf(from: string, to: string, home: string): Part[] {
  if (!isInside(home, from)) return [{ from: [`${from}/.`], to }]
  const names = readdirSync(from)
  const others = names.filter((name) => !isInside(home, join(from, name)))
  const way = names.find((name) => join(from, name) !== home && isInside(home, join(from, name)))
  const parts: Part[] = []
  for (let at = 0; at < others.length; at += mostArguments)
    parts.push({ from: others.slice(at, at + mostArguments).map((name) => join(from, name)), to })
  if (way === undefined) return parts
  mkdirSync(join(to, way), { mode: lstatSync(join(from, way)).mode & 0o777 })
  return [...parts, ...partsOf(join(from, way), join(to, way), home)]
}

const mostArguments = 200

/** False if the program does not support this. */
async function copyWith(program: string, { from, to }: Part, signal: AbortSignal): Promise<boolean> {
  // Never through a shell; `--` because a name may begin with a dash.
  const options = process.platform === 'darwin' ? ['-c', '-R', '-p', '--'] : ['-a', '--reflink=auto', '--']
  const child = spawn(program, [...options, ...from, to], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  })
  const complaints = complaintList()
  child.stderr.on('data', (chunk: Buffer) => complaints.add(chunk))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  const code = await promise
  signal.throwIfAborted()
  if (code === 0) return true
  const lines = complaints.list()
  if (lines.some((line) => /(?:unrecognized|invalid|illegal) option/.test(line))) return false
  const full = lines.find((line) => /No space left|Disk quota exceeded|File too large/.test(line))
  if (full !== undefined) throw diskFull(full)
  const other = lines.find((line) => !isHarmless(line))
  if (code === 1 && lines.length > 0 && other === undefined) return true
  throw new ToolFailure('copy_failed', `The folder could not be copied: ${other ?? lines[0] ?? `${program} ended with code ${code}`}`, {
    remedy: 'Check that the folder can be read, and try again.',
    recoverability: 'user_action',
  })
}

/** What the user cannot read, what was deleted in the meantime, and special files. */
function isHarmless(line: string): boolean {
  return /Permission denied|Operation not permitted|No such file or directory|vanished|socket|special file|skipping|Operation not supported|preserving/.test(
    line,
  )
}

/** Enough of the messages to know what went wrong, however many files it concerns. */
function complaintList() {
  const most = 2_000
  const lines: string[] = []
  let rest = ''
  return {
    add(chunk: Buffer) {
      const parts = `${rest}${chunk.toString('utf8')}`.split('\n')
      rest = (parts.pop() ?? '').slice(0, 4_096)
      for (const line of parts) if (lines.length < most || !isHarmless(line)) lines.push(line.slice(0, 500))
    },
    list: () => (rest === '' ? lines : [...lines, rest]),
  }
}

async function copyInProcess({ from, to }: Part, { signal }: FolderCopy): Promise<void> {
  const filter = (path: string) => {
    signal.throwIfAborted()
    const facts = lstatSync(path, { throwIfNoEntry: false })
    return facts !== undefined && (facts.isDirectory() || facts.isFile() || facts.isSymbolicLink())
  }
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter }
  for (const path of from) {
    const target = path.endsWith('/.') ? to : join(to, path.slice(path.lastIndexOf('/') + 1))
    try {
      await cp(path.endsWith('/.') ? path.slice(0, -2) : path, target, options)
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) throw diskFull(error.message)
      throw error
    }
  }
}

function diskFull(detail: string): ToolFailure {
  return new ToolFailure('disk_full', `There is no space left for a copy of the folder: ${detail}`, {
    remedy: 'Free some space, or discard copies that are no longer needed, and try again.',
    recoverability: 'user_action',
  })
}

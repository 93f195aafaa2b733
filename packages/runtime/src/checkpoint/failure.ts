// Failures of taking and restoring: a code, what it happened to, and a remedy.
import type { CommandErrorCode } from '@tandem/contract/command'
import { classifyFailure, type FailureContract, type FailureStage } from '@tandem/contract/failure'

export interface CheckpointFailure {
  readonly code: Extract<
    CommandErrorCode,
    'storage_unavailable' | 'canceled' | 'checkpoint_expired' | 'restore_failed' | 'restore_conflict' | 'not_found' | 'run_busy'
  >
  readonly failure_contract: FailureContract
}

const diskRefused: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an error',
  EACCES: 'permission to write is denied',
  EPERM: 'permission to write is denied',
  EMFILE: 'too many files are open',
}

/** SQLite error codes as system error codes. */
const ofDatabase: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC' }

/** Converts an error of the engine or of the records to a failure; rethrows a bug. */
export function toFailure(error: unknown, stage: FailureStage, subject: string): CheckpointFailure {
  const name = error instanceof Error ? error.name : ''
  if (name === 'WalkCanceled')
    return failed('canceled', stage, 'canceled', `the scan of ${subject} was canceled`, subject, 'Call again to start over.')
  if (name === 'PackDamaged' && error instanceof Error) {
    return failed('restore_failed', stage, 'pack_damaged', error.message, subject, 'Choose another recovery point.')
  }
  const refused = diskErrorMessage(error)
  if (refused === null) throw error
  const message = `the recovery point of ${subject} could not be written: ${refused}`
  return failed(
    'storage_unavailable',
    stage,
    'checkpoint_not_written',
    message,
    subject,
    'Free up space on the disk that contains the data folder, or make sure that Tandem can write to it, then try again.',
  )
}

/** Null if it was not a disk error. */
export function diskErrorMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'errcode' in error ? ofDatabase[Number(error.errcode) & 0xff] : 'code' in error ? String(error.code) : ''
  return diskRefused[code ?? ''] ?? null
}

export function failed(
  code: CheckpointFailure['code'],
  stage: FailureStage,
  reason_code: string,
  message: string,
  subject: string,
  remedy: string,
  facts: NonNullable<FailureContract['details']['facts']> = [],
): CheckpointFailure {
  const recoverability = code === 'canceled' || code === 'run_busy' ? 'retryable' : 'user_action'
  const details = { message, subject: subject.slice(0, 500), remedy, ...(facts.length > 0 ? { facts } : {}) }
  return {
    code,
    failure_contract: { taxonomy: classifyFailure({ stage }), stage, source: 'checkpoint', reason_code, recoverability, details },
  }
}

const degradations = {
  opaque_restore: {
    message: 'A command may have had effects that could not be tracked. Saved files were restored; other effects remain.',
    remedy: 'Check what the command may have done outside its folder.',
  },
  incomplete_history: {
    message: 'Not everything that the run changed since the recovery point is known or still saved. The rest was restored.',
    remedy: 'Check the files and places that were not restored.',
  },
} as const

/** For a restore over a command, whose effects were not all scanned, or over points that were deleted. */
export function degradedRestore(
  subject: string,
  unprotected: readonly string[],
  left: readonly { readonly path: string; readonly reason: string }[],
  reason_code: keyof typeof degradations = 'opaque_restore',
): FailureContract {
  const facts = [
    ...left.map(({ path, reason }) => ({ name: 'not_restored', value: `${path}: ${reason}` })),
    ...unprotected.map((value) => ({ name: 'unprotected', value })),
  ]
  return {
    taxonomy: classifyFailure({ stage: 'restore', opaque_restore: true }),
    stage: 'restore',
    source: 'checkpoint',
    reason_code,
    recoverability: 'user_action',
    details: {
      ...degradations[reason_code],
      subject: subject.slice(0, 500),
      facts: facts.slice(0, 50),
    },
  }
}

export function unknownCheckpoint(checkpoint_id: string): CheckpointFailure {
  return failed(
    'checkpoint_expired',
    'restore',
    'checkpoint_expired',
    `the recovery point ${checkpoint_id} no longer exists`,
    checkpoint_id,
    'Choose a newer recovery point.',
  )
}

export function contentsDeleted(checkpoint_id: string): CheckpointFailure {
  return failed(
    'checkpoint_expired',
    'restore',
    'contents_deleted',
    'The files of this recovery point can no longer be restored: their contents were deleted to free space for newer recovery points.',
    checkpoint_id,
    'Choose a newer recovery point.',
  )
}

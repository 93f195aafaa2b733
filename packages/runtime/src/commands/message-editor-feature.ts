// What the message editor needs: attachments, files of the workspace to mention, and search in earlier messages.

import type { Attachment } from '@tandem/contract/command'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { Clock } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import { openFiles } from '../sandbox/files/scoped-files.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { type Blobs, openBlobs } from '../store/blobs.ts'
import type { Store } from '../store/store.ts'
import { findFiles } from '../tools/fs/find-files.ts'
import { messageEditorHandlers, missingAttachment } from './message-editor.ts'

export interface Writing {
  readonly blobs: Blobs
  readonly handlers: CommandTable
  /** Null if all attachments of a message are stored here. */
  missing(attachments: readonly Attachment[] | undefined): Outcome<never> | null
}

interface Ports {
  readonly store: Store
  readonly journal: Journal
  readonly workspaces: Workspaces
  readonly scheduler: Pick<Scheduler, 'add'>
  readonly clock: Clock
}

const mostFiles = 20_000
const walk_ms = 3_000
/** A request per keystroke, all for the same folder, is answered from one walk. */
const remembered_ms = 5_000
const day_ms = 24 * 60 * 60 * 1_000

export function openWriting({ store, journal, workspaces, scheduler, clock }: Ports): Writing {
  const blobs = openBlobs(store)
  scheduler.add({ name: 'forget_unsent_attachments', every_ms: day_ms, first_ms: 180_000, run: async () => void blobs.forgetUnsent() })
  let last: { readonly workspace: string; readonly at: number; readonly files: Promise<readonly string[]> } | null = null

  function filesIn(workspace: string): Promise<readonly string[]> {
    if (last?.workspace === workspace && clock.elapsed() - last.at < remembered_ms) return last.files
    const stop = new AbortController()
    const cancel = clock.after(walk_ms, () => stop.abort())
    const files = openFiles({ ...person, workspace, temp: workspace, home: store.home })
    const found = findFiles({ files, workspace, signal: stop.signal }, mostFiles).finally(cancel)
    last = { workspace, at: clock.elapsed(), files: found }
    return found
  }

  return {
    blobs,
    handlers: messageEditorHandlers({ blobs, journal, workspaces, filesIn }),
    missing: (attachments = []) => missingAttachment(blobs, attachments),
  }
}

/** The user can see everything in their own folder, except Tandem's folder. */
const person = {
  ids: { agent_id: '', conversation_id: '', run_id: '', call_id: '' },
  tool: 'fs.list',
  policy: defaultToolPolicy('fs.list'),
  sandbox_mode: 'workspace' as const,
  report: () => undefined,
}

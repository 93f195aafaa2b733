// Texts of approvals.

import { type ApprovalAnswer, approvalTitle, type PageAction } from '@tandem/contract/run'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const approvalWords = translated('approval', {
  title: approvalTitle,
  review: 'Review carefully',
  details: 'Details',
  exactly: 'Arguments',
  where: 'Folder',
  touches: 'Affects',
  protectedBy: 'Can be undone',
  unprotected: 'Cannot be undone',
  warnings: 'Warnings',
  notes: 'Note',
  policyChanged: 'Policy changed by',
  layersIgnored: 'Ignored',
  whyIgnored: (layers: string) => `${layers}, because it allows more and has not been approved`,
  fingerprint: 'Fingerprint',

  edit: 'Edit arguments',
  editing: 'Edit the arguments before you allow the call',
  undoEdit: 'Discard edits',
  brokenJson: 'This is not valid JSON.',
  reason: 'Tell the agent why (optional)',
  reasonLabel: 'Reason',
  sendNo: 'Deny',
  answers: {
    once: 'Allow once',
    this_run: 'Allow for this run',
    this_team: 'Allow for this team',
    always: 'Always allow',
    no: 'Deny…',
  } satisfies Record<ApprovalAnswer, string>,
  /** What the remembered answers cover, next to their buttons. */
  covers: {
    this_run: (calls: string) => `Until this run ends: ${calls}.`,
    this_team: (calls: string) => `Until the runs of this team end: ${calls}.`,
    always: (calls: string) => `In this and later runs of this agent: ${calls}.`,
  },
  everyCall: (tool: string) => `every call of ${tool}`,
  command: (text: string, folder: string | undefined, instructed: boolean) =>
    `commands that begin with “${text}”${folder === undefined ? '' : `, only in ${folder}`}${
      instructed ? ', as long as the files that control them (such as package.json) do not change' : ''
    }`,
  path: (text: string) => `${text} (this file, or everything in this folder)`,
  host: (text: string, does: 'fetch' | 'send') =>
    does === 'fetch' ? `requests that only read from ${text}; sending data still needs approval` : `data sent to ${text}`,

  diff: (path: string) => `Changes in ${path}`,
  added: (number: number) => `+${number.toLocaleString(locale)}`,
  removed: (number: number) => `−${number.toLocaleString(locale)}`,
  noLines: 'No line changes.',
  cutDiff: 'Not everything is shown here. See Details.',
  noDiff: 'The change is too large to compare, or the file is not text. See Details for the new text.',
  allLines: (number: number) => `Show all ${number.toLocaleString(locale)} lines`,
  fails: 'This call is expected to fail:',
  deletes: (files: number, folders: number, size: string, more: boolean) =>
    `${more ? 'At least ' : ''}${count(files, 'file', 'files')}${folders > 0 ? ` in ${count(folders, 'folder', 'folders')}` : ''}, ${size}`,
  paths: 'Files that will be deleted',
  andMore: (number: number) => `and ${number.toLocaleString(locale)} more`,
  andMoreHere: (number: number) => `and ${number.toLocaleString(locale)} more that are not listed`,
  from: 'From',
  to: 'To',
  replaces: 'The existing file or folder will be replaced.',
  commandLabel: 'Command',
  script: (language: string) => `Script (${language})`,
  inFolder: (folder: string) => `In ${folder}`,
  workspace: 'the workspace',
  sends: (files: readonly string[], machine: string) => `Before it runs, sent to ${machine}: ${files.join(', ')}`,
  fetches: (files: readonly string[], machine: string) => `Afterwards, fetched from ${machine} into the workspace: ${files.join(', ')}`,
  background: 'Continues to run in the background.',
  parts: 'What its parts do',
  cutCommand: 'Not everything is shown here. See Details.',
  request: 'Request',
  headers: 'Headers',
  body: 'Body',
  cutBody: 'Not everything is shown here. See Details.',
  page: 'Page',
  noPage: 'the page that is open when it runs',
  element: 'Element',
  values: {
    open: 'Address',
    click: 'Click type',
    type: 'Text',
    type_and_submit: 'Text, followed by Enter',
    select: 'Options',
    run: 'JavaScript',
  } satisfies Record<PageAction, string>,
  process: 'Command of the process',
  described: 'The server describes this tool as:',

  announce: (title: string) => `Needs your approval: ${title}`,
  other: (conversation: string, title: string) => `In “${conversation}”: ${title}`,
  elsewhereFor: (conversation: string, title: string) => `${conversation}: ${title}`,
  elsewhere: (number: number) => (number === 1 ? '1 conversation needs you:' : `${number} conversations need you:`),
})

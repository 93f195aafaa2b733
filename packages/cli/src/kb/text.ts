// How sources are written in a terminal. Names and paths are untrusted: every character of them is made visible.
import { type DocumentRow, documentProblemTexts, type KnowledgeOrigin, type KnowledgeSource } from '@tandem/contract/knowledge'
import { sentence } from '@tandem/contract/text'
import { counted, sizeText } from '../terminal/quantity.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { progressText } from './progress.ts'

export function nameText({ name }: Pick<KnowledgeSource, 'name'>): string {
  return singleLine(name, 120)
}

export function originText(origin: KnowledgeOrigin): string {
  switch (origin.kind) {
    case 'file':
    case 'folder':
      return escapeControls(origin.path)
    case 'url':
      return singleLine(origin.url, 200)
    case 'text':
      return 'pasted text'
  }
}

/** How far it was read. */
export function stateText(source: KnowledgeSource): string {
  return source.state === 'reading' || source.state === 'waiting' ? progressText(source) : source.state
}

/** What of it can be found. */
export function sizesText({ files, passages, bytes }: Pick<KnowledgeSource, 'files' | 'passages' | 'bytes'>): string {
  return `${counted(files, 'file')}, ${counted(passages, 'passage')}, ${sizeText(bytes)}`
}

export function problemText(problem: NonNullable<KnowledgeSource['problem']>): string {
  return `${escapeControls(sentence(problem.message))} ${escapeControls(problem.remedy)}`
}

/** Why a file was left out, and what helps; empty if it was not. */
export function documentProblemText({ problem, detail }: Pick<DocumentRow, 'problem' | 'detail'>): string {
  if (problem === null) return detail === null ? '' : escapeControls(detail)
  const { message, remedy } = documentProblemTexts[problem]
  return [message, ...(detail === null ? [] : [escapeControls(sentence(detail))]), remedy].join(' ')
}

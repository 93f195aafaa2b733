// Texts about results of tools. The one-line summary of a result is also used by the terminal; its English text is in the contract.

import type { ToolOutcome } from '@tandem/contract/run'
import { outputSummary, summaryOf } from '@tandem/contract/tool/output'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const resultWords = translated('results', {
  line: outputSummary,
  summary: summaryOf,
  added: (number: number) => `+${number}`,
  removed: (number: number) => `−${number}`,
  exit: (code: number) => `exit code ${code}`,
  signal: (name: string) => `ended by ${name}`,
  timedOut: 'timed out',
  seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,
  noOutput: 'No output.',
  ranOn: (name: string, sandbox: 'os' | 'none') => `on ${name}${sandbox === 'os' ? '' : ', without a sandbox'}`,
  fetched: (files: readonly string[]) => `Fetched ${files.join(', ')}`,
  notFetched: (files: readonly string[]) => `Not fetched, because the command did not leave them: ${files.join(', ')}`,
  middle(bytes: number, kept: number, file: string | null) {
    const how = kept < bytes ? `the first ${kept.toLocaleString(locale)} bytes are` : 'the full output is'
    return `… ${bytes.toLocaleString(locale)} bytes of output; ${how} in ${file ?? 'a file'}, and in the folder “outputs” in Tandem’s data folder after the run …`
  },
  blocked: (what: string, resource: string) => `Blocked by the sandbox: ${what} ${resource}`,
  entries: (number: number) => count(number, 'entry', 'entries'),
  more: (number: number) => `${number.toLocaleString(locale)} more`,
  matches: (number: number) => count(number, 'match', 'matches'),
  truncated: 'Too long to show in full. The full output is saved in a file.',
  cutDiff: 'The rest of the diff is too long to show.',
  noChange: 'Nothing changed.',
  showAll: 'Show all',
  image: (type: string, width: number, height: number) => `${type}, ${width} × ${height}`,
  bytes: (number: number) => `${number.toLocaleString(locale)} bytes`,
  outcomes: {
    succeeded: 'done',
    failed: 'It failed',
    denied: 'It was denied',
    timed_out: 'It timed out',
    canceled: 'It was canceled',
    interrupted: 'It was interrupted. It may or may not have taken effect',
  } satisfies Record<ToolOutcome, string>,
  moreMatches: 'There are more matches.',
  shortened: (file: string | null) =>
    file === null ? '… the middle is left out …' : `… the middle is left out; the full output is in ${file} …`,
  keptIn: (file: string) => `Saved in ${file}`,
  processes: { command: 'Command', pid: 'Process', state: 'State', time: 'Time' },
  running: 'running',
  missed: (bytes: number) => `${count(bytes, 'earlier byte is', 'earlier bytes are')} no longer available here.`,
  noNewOutput: 'No new output.',
  noProcesses: 'No processes.',
  noResults: 'No results.',
  published: (when: string) => `Published ${when}`,
  redirected: (from: string) => `Redirected from ${from}`,
  redirectStopped: (to: string) => `The redirect to ${to} was not followed.`,
  requestHeaders: 'Request headers',
  responseHeaders: 'Response headers',
  status: (status: number) => `status ${status}`,
  emptyBody: 'The response has no body.',
  onlyBeginning: 'Only the beginning was read.',
  notLoaded: 'not fully loaded',
  dialog: (type: string, message: string, answer: string) => `The page showed a dialog (${type}), which was ${answer}: ${message}`,
  download: (name: string, state: string) => `Download ${name}: ${state}`,
  refused: (host: string) => `Blocked by the network scope: ${host}`,
  noLines: 'No lines.',
  dropped: (number: number) => `${count(number, 'older entry was', 'older entries were')} deleted.`,
  chosen: 'Chosen',
  files: 'Other files of the skill',
  structured: 'Structured content',
  sampled: (number: number, limit: number) => `The server asked the model (${number} of ${limit} in this run)`,
  sampledTokens: (input: number, output: number) =>
    `${input.toLocaleString(locale)} input · ${output.toLocaleString(locale)} output tokens`,
  structuredFault: 'The structured content does not match the output schema that the server declares.',
  resource: (uri: string) => `Resource ${uri}`,
  link: (name: string, uri: string) => `Link to ${name}: ${uri}`,
  stored: (type: string, bytes: string, file: string) => `${type}, ${bytes}, saved in ${file}`,
  round: (round: string) => `(round ${round})`,
  moreRounds: (count: number) => (count === 1 ? '1 more' : `${count} more`),
  noEvents: 'No events',
  moreEvents: 'There are more events.',
})

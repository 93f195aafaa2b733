// What a call would do, in a terminal: the same as in the window, in color.
import type { CallPreview } from '@tandem/contract/run'
import { styled } from '../terminal/style.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

const shownLines = 60
const shownPaths = 10

/** `most` lines of a long text; all of them if the user asks. */
export function previewLines(preview: CallPreview, most = shownLines): string[] {
  switch (preview.kind) {
    case 'change':
      return changeLines(preview, most)
    case 'delete':
      return deleteLines(preview, most)
    case 'move':
      return [
        `from ${escapeControls(preview.from)}`,
        `to   ${escapeControls(preview.to)}`,
        ...(preview.replaces ? [styled('yellow', 'The existing file or folder will be replaced.')] : []),
      ]
    case 'folder':
      return [escapeControls(preview.path)]
    case 'command':
      return commandLines(preview, most)
    case 'request':
      return requestLines(preview, most)
    case 'page':
      return pageLines(preview, most)
    case 'process':
      return [`command: ${escapeControls(preview.command)}`]
    case 'mcp':
      return preview.description === undefined ? [] : ['The server describes this tool as:', ...indented(preview.description, most)]
    case 'merge':
      return mergeLines(preview, most)
    case 'fails':
      return [styled('yellow', 'This call is expected to fail:'), ...indented(preview.message, most)]
  }
}

function mergeLines({ files, more, open_conflicts, notes }: Extract<CallPreview, { kind: 'merge' }>, most: number): string[] {
  const conflicts = open_conflicts === 0 ? [] : [styled('yellow', `Conflicts to resolve: ${open_conflicts}`)]
  const lines = files.flatMap((file) => [
    `${escapeControls(file.path)} ${file.change}, ${file.authors.map(escapeControls).join(', ')}`,
    ...(file.diff === '' ? [] : hunks(file.diff).map(colored)),
    ...file.conflicts.filter(({ resolved }) => resolved === null).map(({ message }) => styled('yellow', escapeControls(message))),
  ])
  return [...conflicts, ...notes.map(escapeControls), ...bounded(lines, most), ...(more === 0 ? [] : [`${more} more`])]
}

function changeLines(
  { path, diff, diff_truncated, lines_added, lines_removed, notes }: Extract<CallPreview, { kind: 'change' }>,
  most: number,
) {
  const counts =
    lines_added === null || lines_removed === null ? '' : ` ${styled('green', `+${lines_added}`)} ${styled('red', `-${lines_removed}`)}`
  const nothing = diff_truncated ? 'The change is too large to compare, or the file is not text.' : 'No line changes.'
  return [
    `${escapeControls(path)}${counts}`,
    ...notes.map(escapeControls),
    ...(diff === '' ? [nothing] : bounded(hunks(diff).map(colored), most)),
    ...(diff !== '' && diff_truncated ? [styled('yellow', 'Not everything is shown here. Type s to see all arguments.')] : []),
  ]
}

/** Without the names of the files, which are above the first hunk. */
function hunks(diff: string): string[] {
  const lines = diff.replace(/\n$/, '').split('\n')
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('@@')),
    ),
  )
}

function colored(line: string): string {
  const text = escapeControls(line)
  if (line.startsWith('+')) return styled('green', text)
  if (line.startsWith('-')) return styled('red', text)
  return line.startsWith('@@') ? styled('cyan', text) : text
}

function deleteLines({ files, folders, bytes, paths, more, at_least }: Extract<CallPreview, { kind: 'delete' }>, most: number): string[] {
  const shown = paths.slice(0, most === shownLines ? shownPaths : most)
  const hidden = paths.length - shown.length + more
  const count = `${at_least ? 'at least ' : ''}${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`
  return [
    `${count}${folders > 0 ? ` in ${folders.toLocaleString('en-US')} ${folders === 1 ? 'folder' : 'folders'}` : ''}, ${bytes.toLocaleString('en-US')} bytes`,
    ...shown.map((path) => `  ${styled('red', escapeControls(path))}`),
    ...(hidden > 0 ? [`  and ${hidden.toLocaleString('en-US')} more`] : []),
  ]
}

function commandLines(
  { command, command_truncated, language, cwd, background, parts, remote }: Extract<CallPreview, { kind: 'command' }>,
  most: number,
): string[] {
  return [
    ...(language === null ? [] : [`${escapeControls(language)} script:`]),
    ...bounded(
      escapeControls(command)
        .split('\n')
        .map((line) => styled('cyan', `  ${line}`)),
      most,
    ),
    ...(command_truncated ? [styled('yellow', 'Not everything is shown here. Type s to see all arguments.')] : []),
    `in ${cwd === '.' ? 'the workspace' : escapeControls(cwd)}${background ? '; continues to run in the background' : ''}`,
    ...(remote && remote.sends.length > 0 ? [`before it runs, sent to ${oneLine(remote.name)}: ${oneLine(remote.sends.join(', '))}`] : []),
    ...(remote && remote.fetches.length > 0
      ? [`afterwards, fetched from ${oneLine(remote.name)}: ${oneLine(remote.fetches.join(', '))}`]
      : []),
    ...parts.map(({ text, explains }) => `  ${styled('cyan', oneLine(text))}  ${styled('dim', escapeControls(explains))}`),
  ]
}

function requestLines({ method, url, headers, body, body_truncated }: Extract<CallPreview, { kind: 'request' }>, most: number): string[] {
  return [
    styled('cyan', `${escapeControls(method)} ${escapeControls(url)}`),
    ...headers.map(({ name, value }) => `  ${oneLine(name)}: ${oneLine(value)}`),
    ...(body === null ? [] : indented(body, most)),
    ...(body_truncated ? [styled('yellow', 'Not everything is shown here. Type s to see all arguments.')] : []),
  ]
}

function pageLines({ action, target, value, value_truncated, address }: Extract<CallPreview, { kind: 'page' }>, most: number): string[] {
  return [
    ...(target === null ? [] : [`element: ${oneLine(target)}`]),
    `page: ${address === null ? 'the page that is open when it runs' : oneLine(address)}`,
    ...(value === null
      ? []
      : [
          `${action === 'run' ? 'JavaScript' : 'value'}${action === 'type_and_submit' ? ', followed by Enter' : ''}:`,
          ...indented(value, most),
        ]),
    ...(value_truncated ? [styled('yellow', 'Not everything is shown here. Type s to see all arguments.')] : []),
  ]
}

function indented(text: string, most: number): string[] {
  return bounded(
    escapeControls(text)
      .split('\n')
      .map((line) => `  ${line}`),
    most,
  )
}

function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n')
}

function bounded(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [
    ...lines.slice(0, most),
    styled(
      'yellow',
      `… and ${(lines.length - most).toLocaleString('en-US')} more ${lines.length - most === 1 ? 'line' : 'lines'}. Type s to see all of it`,
    ),
  ]
}

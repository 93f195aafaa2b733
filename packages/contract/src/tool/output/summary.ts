// What a tool returned, in one line. The window and the terminal show the same line. Text of files, pages and programs in it is unchanged:
// user interfaces must escape it.
import { grouped } from '../../text/grouped.ts'
import type { BrowserEvalOutput, BrowserViewOutput } from './browser.ts'
import type { ProcessFacts, ProcessListOutput, ShellExecOutput } from './commands.ts'
import type { FsDeleteOutput, FsReadOutput, FsSearchOutput, FsWriteOutput } from './files.ts'
import type { McpOutput } from './mcp.ts'
import type { AskUserOutput } from './questions.ts'
import { type ReadOutput, readOutput } from './read.ts'
import type { WorkflowRunOutput } from './workflows.ts'

const longest = 200

/** Empty for a result without content. */
export function outputSummary(tool: string, output: unknown): string {
  return firstLine(summaryOf(readOutput(tool, output)))
}

/** The same in full length; may have more than one line. */
export function summaryOf(read: ReadOutput): string {
  switch (read.tool) {
    case 'fs.list': {
      const { path, entries, more } = read.output
      return `${count(entries.length + more, 'entry', 'entries')}${path === '.' ? '' : ` in ${path}`}`
    }
    case 'fs.read':
      return readFile(read.output)
    case 'fs.search':
      return search(read.output)
    case 'fs.write':
      return write(read.output)
    case 'fs.edit': {
      const { path, replaced } = read.output
      const places = replaced.reduce((sum, number) => sum + number, 0)
      return `Edited ${path}${changedLines(read.output) ?? `, ${count(places, 'place', 'places')}`}`
    }
    case 'fs.move': {
      const { from, to, replaced } = read.output
      return `Moved ${from} to ${to}${replaced ? ', replacing what was there' : ''}`
    }
    case 'fs.delete':
      return deletion(read.output)
    case 'fs.mkdir':
      return read.output.created.length === 0 ? `${read.output.path} already exists` : `Created folder ${read.output.path}`
    case 'shell.exec':
    case 'script.run':
      return command(read.output)
    case 'process.list':
      return processes(read.output)
    case 'process.kill':
      return `Ended ${read.output.command}`
    case 'web.search':
      return `${count(read.output.results.length, 'result', 'results')} for ${read.output.query}`
    case 'web.fetch': {
      const { status, content_type, bytes } = read.output
      return [`Status ${status}`, ...(content_type ? [content_type] : []), bytesText(bytes)].join(', ')
    }
    case 'web.extract':
      return read.output.title || read.output.url
    case 'http.request':
      return `Status ${read.output.status}, ${bytesText(read.output.bytes)}`
    case 'browser.open':
      return `${page(read.output)}${read.output.loaded ? '' : ', not fully loaded'}`
    case 'browser.click':
    case 'browser.type':
    case 'browser.select':
    case 'browser.wait':
      return page(read.output)
    case 'browser.eval':
      return evaluation(read.output)
    case 'browser.screenshot':
      return `Screenshot of ${read.output.url}, ${read.output.width} × ${read.output.height}`
    case 'browser.console_logs':
      return count(read.output.items.length, 'line', 'lines')
    case 'browser.network_logs': {
      const failed = read.output.items.filter(({ failure, status }) => failure !== null || (status ?? 0) >= 400).length
      return `${count(read.output.items.length, 'request', 'requests')}${failed > 0 ? `, ${failed} failed` : ''}`
    }
    case 'todo.create':
    case 'todo.update':
    case 'todo.list':
    case 'todo.complete': {
      const { todos } = read.output
      return todos.length === 0 ? 'No todos' : `${count(todos.length, 'todo', 'todos')}: ${todos.map(({ title }) => title).join(', ')}`
    }
    case 'memory.add':
      return `Remembered: ${read.output.memory.content}`
    case 'memory.update':
      // With a note, the earlier text stays in use until the user has decided.
      return `${read.output.note === null ? 'Changed' : 'Proposed change'}: ${read.output.memory.content}`
    case 'memory.delete':
      return `Archived: ${read.output.memory.content}`
    case 'memory.search': {
      const { memories, evidence } = read.output
      return `${count(memories.length, 'memory', 'memories')}, ${count(evidence.length, 'quote', 'quotes')}`
    }
    case 'kb.search': {
      const { passages } = read.output
      return passages.length === 0
        ? 'Nothing found'
        : `${count(passages.length, 'passage', 'passages')}: ${passages.map(({ citation }) => citation).join(' ')}`
    }
    case 'kb.ingest':
      return `Added to the knowledge base: ${read.output.source.name}`
    case 'kb.reindex':
      return read.output.sources.length === 0 ? 'No sources' : `Checking ${read.output.sources.map(({ name }) => name).join(', ')}`
    case 'workflow.start':
      return `Started ${read.output.name}`
    case 'workflow.wait':
    case 'workflow.control':
    case 'workflow.snapshot':
      return workflowState(read.output)
    case 'workflow.query': {
      const { node, round, node_state } = read.output
      return `${node}${round.length === 0 ? '' : ` (round ${round.join('.')})`}: ${node_state}`
    }
    case 'workflow.history':
      return count(read.output.events.length, 'event', 'events')
    case 'agent.delegate':
      return `${read.output.title}: ${read.output.state}`
    case 'agent.spawn':
      return `Started ${read.output.members.map(({ title }) => title).join(', ')}`
    case 'agent.merge_result': {
      const { members, changed, more_changed } = read.output
      return `Merged ${count(changed.length + more_changed, 'path', 'paths')} from ${members.map(({ title }) => title).join(', ')}`
    }
    case 'time.now':
      return `${read.output.weekday}, ${read.output.date} ${read.output.time}, ${read.output.zone}`
    case 'team.send':
      return `Sent to ${count(read.output.received_by.length, 'member', 'members')}`
    case 'tool.search': {
      const { tools, more } = read.output
      return tools.length === 0 ? 'No tools found' : `${tools.map(({ tool }) => tool).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
    }
    case 'skill.load':
      return read.output.file === null ? read.output.name : `${read.output.name}, ${read.output.file}`
    case 'ask_user':
      return answer(read.output)
    case 'mcp':
      return mcp(read.output)
    case 'cut':
      return `${count(read.output.characters, 'character', 'characters')}, too long to show in full`
    case null:
      return anything(read.output)
  }
}

function workflowState({ name, state, reason }: Pick<WorkflowRunOutput, 'name' | 'state' | 'reason'>): string {
  return `${name}: ${state}${reason === null ? '' : ` (${reason})`}`
}

function readFile(output: FsReadOutput): string {
  if (output.kind !== 'text') {
    const { path, media_type, size, dimensions } = output
    return `${path}, ${media_type}, ${dimensions ? `${dimensions.width} × ${dimensions.height}` : bytesText(size)}`
  }
  const { path, start_line, end_line, total_lines } = output
  if (start_line === null || end_line === null) return path
  if (start_line === 1 && end_line === total_lines) return `${path}, ${count(end_line, 'line', 'lines')}`
  return `${path}, lines ${start_line}–${end_line}${total_lines === null ? '' : ` of ${grouped(total_lines)}`}`
}

function search({ lines, files, matches, truncated }: FsSearchOutput): string {
  const paths = new Set([...lines.filter(({ match }) => match), ...files].map(({ path }) => path))
  if (matches === 0) return 'No matches'
  return `${truncated ? 'At least ' : ''}${count(matches, 'match', 'matches')} in ${count(paths.size, 'file', 'files')}`
}

function write(output: FsWriteOutput): string {
  const { path, outcome } = output
  if (outcome === 'unchanged') return `${path} is unchanged`
  return `${outcome === 'created' ? 'Created' : 'Replaced'} ${path}${changedLines(output) ?? `, ${bytesText(output.bytes)}`}`
}

/** Null if the change was too large to compare. */
function changedLines({ lines_added, lines_removed }: Pick<FsWriteOutput, 'lines_added' | 'lines_removed'>): string | null {
  return lines_added === null || lines_removed === null ? null : `  +${lines_added} −${lines_removed}`
}

function deletion({ path, entries }: FsDeleteOutput): string {
  return entries <= 1 ? `Deleted ${path}` : `Deleted ${path} and the ${count(entries - 1, 'entry', 'entries')} in it`
}

function command(output: ShellExecOutput): string {
  return 'state' in output ? `Started in the background (pid ${output.pid})` : `${endText(output)}, ${secondsText(output.duration_ms)}`
}

function endText({ exit_code, signal, timed_out }: Pick<ProcessFacts, 'exit_code' | 'signal' | 'timed_out'>): string {
  if (timed_out) return 'timed out'
  return exit_code === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exit_code}`
}

function processes(output: ProcessListOutput): string {
  if (!('processes' in output)) {
    const { command: what, duration_ms } = output
    return `${what}: ${output.state === 'running' ? 'running' : endText(output)}, ${secondsText(duration_ms)}`
  }
  if (output.processes.length === 0) return 'No processes'
  const running = output.processes.filter(({ state }) => state === 'running').length
  return `${count(output.processes.length, 'process', 'processes')}, ${running} running`
}

function page({ title, url }: BrowserViewOutput): string {
  return title === '' ? url : `${title}, ${url}`
}

function evaluation(output: BrowserEvalOutput): string {
  return 'text' in output ? output.text : anything(output.value)
}

function answer({ chosen, text }: AskUserOutput): string {
  return [...(chosen.length > 0 ? [chosen.join(', ')] : []), ...(text ? [text] : [])].join(': ')
}

function mcp({ content, structured }: McpOutput): string {
  const [first] = content.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))
  if (first !== undefined) return first
  if (structured !== undefined) return anything(structured)
  return content.length === 0 ? '' : count(content.length, 'part', 'parts')
}

function anything(output: unknown): string {
  if (output === null || output === undefined) return ''
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

function count(number: number, one: string, many: string): string {
  return `${grouped(number)} ${number === 1 ? one : many}`
}

function bytesText(bytes: number): string {
  return count(bytes, 'byte', 'bytes')
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

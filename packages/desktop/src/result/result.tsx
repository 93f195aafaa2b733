// The result of a tool, rendered by the tool's output schema; a result that matches no schema is shown as JSON.
import { type ReadOutput, readOutput } from '@tandem/contract/tool/output'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { ConsoleLines, EvaluationResult, PageView, Requests, Screenshot } from './browser.tsx'
import { Diff } from './diff.tsx'
import { FileList, FileText, Matches, OtherFile } from './files.tsx'
import { JsonTree } from './json-tree.tsx'
import { LongText } from './long-text.tsx'
import { McpResult } from './mcp-result.tsx'
import { FoundMemories, RememberedMemory } from './memories.tsx'
import { Answer, Skill, Todos } from './notes.tsx'
import { FoundPassages } from './passages.tsx'
import { Processes, ProcessOutput } from './processes.tsx'
import { TruncatedText } from './shortened.tsx'
import { DelegatedResult, MergedWork, StartedMembers } from './team.tsx'
import { Terminal } from './terminal.tsx'
import { Extract, Request, Response, SearchResults } from './web.tsx'
import { WorkflowEnd, WorkflowEvents, WorkflowNodeOutput, WorkflowNodes } from './workflows.tsx'

export function Result({ tool, output, run_id }: { tool: string; output: unknown; run_id?: string }) {
  const read = readOutput(tool, output)
  switch (read.tool) {
    case 'fs.list':
      return <FileList {...read.output} />
    case 'fs.read':
      return read.output.kind === 'text' ? <FileText {...read.output} /> : <OtherFile {...read.output} />
    case 'fs.search':
      return <Matches {...read.output} />
    case 'fs.write':
    case 'fs.edit':
      return <Diff {...read.output} />
    case 'shell.exec':
    case 'script.run':
      return 'state' in read.output ? <Line read={read} /> : <Terminal {...read.output} />
    case 'process.list':
      return 'processes' in read.output ? <Processes {...read.output} /> : <ProcessOutput {...read.output} />
    case 'web.search':
      return <SearchResults {...read.output} />
    case 'web.fetch':
      return <Response {...read.output} />
    case 'web.extract':
      return <Extract {...read.output} />
    case 'http.request':
      return <Request {...read.output} />
    case 'browser.open':
    case 'browser.click':
    case 'browser.type':
    case 'browser.select':
    case 'browser.wait':
      return <PageView {...read.output} />
    case 'browser.eval':
      return <EvaluationResult {...read.output} />
    case 'browser.screenshot':
      return <Screenshot {...read.output} />
    case 'browser.console_logs':
      return <ConsoleLines {...read.output} />
    case 'browser.network_logs':
      return <Requests {...read.output} />
    case 'todo.create':
    case 'todo.update':
    case 'todo.list':
    case 'todo.complete':
      return <Todos {...read.output} />
    case 'memory.add':
    case 'memory.update':
    case 'memory.delete':
      return <RememberedMemory {...read.output} />
    case 'memory.search':
      return <FoundMemories {...read.output} />
    case 'kb.search':
      return <FoundPassages {...read.output} {...(run_id === undefined ? {} : { run_id })} />
    case 'skill.load':
      return <Skill {...read.output} />
    case 'ask_user':
      return <Answer {...read.output} />
    case 'agent.delegate':
      return <DelegatedResult {...read.output} />
    case 'agent.spawn':
      return <StartedMembers {...read.output} />
    case 'agent.merge_result':
      return <MergedWork {...read.output} />
    case 'workflow.wait':
      return <WorkflowEnd {...read.output} />
    case 'workflow.snapshot':
      return <WorkflowNodes {...read.output} />
    case 'workflow.query':
      return <WorkflowNodeOutput {...read.output} />
    case 'workflow.history':
      return <WorkflowEvents {...read.output} />
    case 'fs.move':
    case 'fs.delete':
    case 'fs.mkdir':
    case 'process.kill':
    case 'team.send':
    case 'tool.search':
    case 'workflow.start':
    case 'workflow.control':
    case 'kb.ingest':
    case 'kb.reindex':
    case 'time.now':
      return <Line read={read} />
    case 'mcp':
      return <McpResult {...read.output} />
    case 'cut':
      return <TruncatedText text={read.output.beginning} end={read.output.end} file={null} />
    case null:
      return typeof read.output === 'string' ? <LongText text={read.output} /> : <JsonTree value={read.output} />
  }
}

/** A result that one line describes completely. */
function Line({ read }: { read: ReadOutput }) {
  return <p className="wrap-anywhere">{visibleText(words.result.summary(read))}</p>
}

// Which output each tool has.
import type { TSchema } from 'typebox'
import type { BuiltinToolName, toolSearch } from '../names.ts'
import {
  BrowserConsoleLogsOutput,
  BrowserEvalOutput,
  BrowserNetworkLogsOutput,
  BrowserOpenOutput,
  BrowserScreenshotOutput,
  BrowserViewOutput,
} from './browser.ts'
import { ProcessKillOutput, ProcessListOutput, ShellExecOutput } from './commands.ts'
import {
  FsDeleteOutput,
  FsEditOutput,
  FsListOutput,
  FsMkdirOutput,
  FsMoveOutput,
  FsReadOutput,
  FsSearchOutput,
  FsWriteOutput,
} from './files.ts'
import { KbIngestOutput, KbReindexOutput, KbSearchOutput } from './knowledge.ts'
import { MemoryOutput, MemorySearchOutput } from './memory.ts'
import type { OutputOf } from './output-of.ts'
import { AskUserOutput } from './questions.ts'
import { SkillLoadOutput } from './skills.ts'
import { HttpRequestOutput, TimeNowOutput } from './system.ts'
import { AgentMergeOutput, AgentSpawnOutput, MemberResult, TeamSendOutput } from './team.ts'
import { TodosOutput } from './todos.ts'
import { ToolSearchOutput } from './tool-search.ts'
import { WebExtractOutput, WebFetchOutput, WebSearchOutput } from './web.ts'
import { WorkflowHistoryOutput, WorkflowQueryOutput, WorkflowRunOutput, WorkflowSnapshotOutput, WorkflowStartOutput } from './workflows.ts'

export const toolOutputs = {
  'fs.list': FsListOutput,
  'fs.read': FsReadOutput,
  'fs.search': FsSearchOutput,
  'fs.write': FsWriteOutput,
  'fs.edit': FsEditOutput,
  'fs.move': FsMoveOutput,
  'fs.delete': FsDeleteOutput,
  'fs.mkdir': FsMkdirOutput,
  'shell.exec': ShellExecOutput,
  'script.run': ShellExecOutput,
  'process.list': ProcessListOutput,
  'process.kill': ProcessKillOutput,
  'web.search': WebSearchOutput,
  'web.fetch': WebFetchOutput,
  'web.extract': WebExtractOutput,
  'browser.open': BrowserOpenOutput,
  'browser.click': BrowserViewOutput,
  'browser.type': BrowserViewOutput,
  'browser.select': BrowserViewOutput,
  'browser.wait': BrowserViewOutput,
  'browser.eval': BrowserEvalOutput,
  'browser.screenshot': BrowserScreenshotOutput,
  'browser.network_logs': BrowserNetworkLogsOutput,
  'browser.console_logs': BrowserConsoleLogsOutput,
  'todo.create': TodosOutput,
  'todo.update': TodosOutput,
  'todo.list': TodosOutput,
  'todo.complete': TodosOutput,
  'time.now': TimeNowOutput,
  'http.request': HttpRequestOutput,
  'memory.add': MemoryOutput,
  'memory.search': MemorySearchOutput,
  'memory.update': MemoryOutput,
  'memory.delete': MemoryOutput,
  'workflow.start': WorkflowStartOutput,
  'workflow.wait': WorkflowRunOutput,
  'workflow.control': WorkflowRunOutput,
  'workflow.snapshot': WorkflowSnapshotOutput,
  'workflow.query': WorkflowQueryOutput,
  'workflow.history': WorkflowHistoryOutput,
  'agent.delegate': MemberResult,
  'agent.spawn': AgentSpawnOutput,
  'agent.merge_result': AgentMergeOutput,
  'kb.search': KbSearchOutput,
  'kb.ingest': KbIngestOutput,
  'kb.reindex': KbReindexOutput,
  'skill.load': SkillLoadOutput,
  'team.send': TeamSendOutput,
  'tool.search': ToolSearchOutput,
  ask_user: AskUserOutput,
} as const satisfies Partial<Record<BuiltinToolName | 'skill.load' | 'team.send' | typeof toolSearch | 'ask_user', TSchema>>

export type ToolOutputs = { readonly [Tool in keyof typeof toolOutputs]: OutputOf<(typeof toolOutputs)[Tool]> }

import type { Command } from '../command.ts'
import { agentCommands } from './agents.ts'
import { composerCommands } from './attachments.ts'
import { changeCommands } from './changes.ts'
import { conversationCommands } from './conversations.ts'
import { folderCommands } from './folders.ts'
import { hostCommands } from './host.ts'
import { importCommands } from './imports.ts'
import type { RuntimeCommandName } from './names.ts'
import { policyCommands } from './policies.ts'
import { runCommands } from './runs.ts'
import { supportCommands } from './support.ts'
import { teamCommands } from './teams.ts'
import { todoCommands } from './todos.ts'
import { workflowRunCommands } from './workflow-runs.ts'

export type { StoredAgent as KeptAgent } from './agents.ts'
export type { Attachment, FoundConversation } from './attachments.ts'
export type { ChangedFile, DiffSlice, DiffSliceLine } from './changes.ts'
export type { Conversation, DeletionPreview, ListedMessage } from './conversations.ts'
export type { ListedFolder, RecentFolder } from './folders.ts'
export type { RecordedEvent, SandboxStatus as SandboxSight, Settings } from './host.ts'
export type { EffectiveToolPolicy, ListedRule, ListedTool } from './policies.ts'
export type { LocalRun, PendingApproval, PendingQuestion } from './runs.ts'
export type { SupportBundle } from './support.ts'
export type { QueuedMessage } from './teams.ts'
export type { TodoEdit } from './todos.ts'

export const runtimeCommands = {
  ...agentCommands,
  ...conversationCommands,
  ...importCommands,
  ...runCommands,
  ...workflowRunCommands,
  ...teamCommands,
  ...todoCommands,
  ...composerCommands,
  ...policyCommands,
  ...hostCommands,
  ...supportCommands,
  ...folderCommands,
  ...changeCommands,
} satisfies Record<RuntimeCommandName, Command>

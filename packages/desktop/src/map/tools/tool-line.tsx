import { type BuiltinToolName, checkpointedTools, defaultToolPolicy, strictlyBlockedTools } from '@tandem/contract/tool'
import { Badge } from '../../part/badge.tsx'
import { strings } from '../../strings/map.ts'

export function ToolLine({ tool }: { tool: BuiltinToolName }) {
  const mode = defaultToolPolicy(tool).approval_mode
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5">
      <code className="grow">{tool}</code>
      {isCheckpointed(tool) && (
        <Badge tone="cloud" title={strings.tools.checkpoint_why}>
          {strings.tools.checkpoint}
        </Badge>
      )}
      {isBlockedInStrict(tool) && (
        <Badge tone="bad" title={strings.tools.strict_why}>
          {strings.tools.strict}
        </Badge>
      )}
      <Badge tone={mode === 'auto' ? 'good' : 'warn'} title={strings.tools.mode[mode]}>
        {mode}
      </Badge>
    </li>
  )
}

/** What the line says of the tool, for the filter. */
export function marksOf(tool: BuiltinToolName): string[] {
  const marks: string[] = [defaultToolPolicy(tool).approval_mode]
  if (isCheckpointed(tool)) marks.push(strings.tools.checkpoint)
  if (isBlockedInStrict(tool)) marks.push(strings.tools.strict)
  return marks
}

function isCheckpointed(tool: BuiltinToolName): boolean {
  return checkpointedTools.some((one) => one === tool)
}

function isBlockedInStrict(tool: BuiltinToolName): boolean {
  return strictlyBlockedTools.some((one) => one === tool)
}

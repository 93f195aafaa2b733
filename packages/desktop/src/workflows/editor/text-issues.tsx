// The problems of a text, each with its line. A click moves the cursor there.
import { workflowWords } from '../../strings/workflows.ts'
import { issueText } from './issue-text.ts'
import type { TextIssue } from './use-text-check.ts'

interface Props {
  readonly issues: readonly TextIssue[] | null
  onGoTo(line: number, column: number): void
}

const told = workflowWords.editor

export function TextIssues({ issues, onGoTo }: Props) {
  return (
    <div className="min-h-7">
      <p role="status" className={`text-sm ${issues !== null && issues.length > 0 ? 'text-bad' : 'text-faint'}`}>
        {issues === null ? told.checking : issues.length === 0 ? told.fine : told.issues(issues.length)}
      </p>
      {issues !== null && issues.length > 0 && (
        <ul aria-label={told.issuesLabel} className="mt-1 space-y-0.5">
          {issues.map((issue) => (
            <li key={`${issue.line} ${issue.column} ${issue.pointer} ${issue.message}`} className="break-words text-sm">
              <IssueLine issue={issue} onGoTo={onGoTo} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function IssueLine({ issue, onGoTo }: { issue: TextIssue } & Pick<Props, 'onGoTo'>) {
  const { line, column } = issue
  const text = issueText(issue)
  if (line === null) return text
  return (
    <button
      type="button"
      title={told.goToLine(line)}
      onClick={() => onGoTo(line, column ?? 1)}
      className="rounded text-left hover:underline hover:underline-offset-4"
    >
      <span className="font-medium text-cloud">{told.line(line)}:</span> {text}
    </button>
  )
}

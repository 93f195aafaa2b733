// The text of a workflow, with completion as soon as that is loaded. Until then, and if it cannot be loaded, it is a plain text field.
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { workflowWords } from '../../strings/workflows.ts'
import { moveCursor, WorkflowTextArea } from '../workflow-text.tsx'
import type { CodeEditor } from './code-editor.ts'
import type { KnownNames } from './suggestion.ts'
import { offsetAt } from './text-position.ts'
import type { TextIssue } from './use-text-check.ts'

export interface TextEditorHandle {
  goTo(line: number, column: number): void
}

interface Props {
  readonly value: string
  onChange(value: string): void
  /** Null until they are known. */
  readonly issues: readonly TextIssue[] | null
  readonly known: KnownNames
  readonly ref: Ref<TextEditorHandle>
}

const told = workflowWords.editor
const none: readonly TextIssue[] = []

export function TextEditor({ value, onChange, issues: found, known, ref }: Props) {
  const issues = found ?? none
  const host = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const [editor, setEditor] = useState<CodeEditor | null>(null)
  const latest = useRef({ value, onChange, known })
  latest.current = { value, onChange, known }
  /** What was selected in the plain text field, if it had the focus. */
  const selected = useRef<readonly [number, number] | null>(null)
  useEffect(() => {
    let opened: CodeEditor | null = null
    let isLeft = false
    const open = async () => {
      const { openCodeEditor } = await import('./code-editor.ts')
      if (isLeft || !host.current) return
      opened = openCodeEditor(host.current, {
        ...{ text: latest.current.value, label: told.text, description: told.keys, tabLeaves: told.tabLeaves },
        known: () => latest.current.known,
        onChange: (text) => latest.current.onChange(text),
      })
      const plain = area.current
      selected.current = plain && document.activeElement === plain ? [plain.selectionStart, plain.selectionEnd] : null
      setEditor(opened)
    }
    open().catch((error) => console.warn('the editor with completion cannot be loaded', error))
    return () => {
      isLeft = true
      opened?.close()
    }
  }, [])
  useEffect(() => editor?.setText(value), [editor, value])
  useEffect(() => {
    if (editor && selected.current) editor.select(...selected.current)
  }, [editor])
  useEffect(() => editor?.setIssues(issues), [editor, issues])
  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      const offset = offsetAt(value, line, column)
      if (editor) editor.select(offset, offset)
      else if (area.current) moveCursor(area.current, offset, line)
    },
  }))
  return (
    <>
      <div
        ref={host}
        hidden={editor === null}
        data-invalid={issues.length > 0 ? true : undefined}
        className="h-[max(18rem,50dvh)] w-full resize-y overflow-hidden rounded-lg border border-line-strong bg-surface font-mono text-[13px] leading-5 focus-within:outline-2 focus-within:outline-(--focus) data-invalid:border-bad"
      />
      {editor === null && (
        <WorkflowTextArea label={told.text} value={value} onChange={onChange} area={area} isInvalid={issues.length > 0} />
      )}
    </>
  )
}

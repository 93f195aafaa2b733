// The editor with completion, in its own chunk. It is in a shadow root, because only there its styles are adopted as objects: as elements,
// the window's content security policy would refuse them.
import { acceptCompletion, autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { codeEditorTheme } from './code-editor-theme.ts'
import { completionsAt } from './completions.ts'
import { issueText } from './issue-text.ts'
import type { KnownNames } from './suggestion.ts'
import { markedRange } from './text-position.ts'
import type { TextIssue } from './use-text-check.ts'

/** A change that the user did not type. */
const fromOutside = Annotation.define<true>()

export interface CodeEditor {
  setText(text: string): void
  setIssues(issues: readonly TextIssue[]): void
  /** Moves the cursor, and scrolls to it. */
  select(from: number, to: number): void
  close(): void
}

interface Options {
  readonly text: string
  readonly label: string
  /** How the keyboard works. */
  readonly description: string
  /** What is announced when Tab no longer indents. */
  readonly tabLeaves: string
  known(): KnownNames
  onChange(text: string): void
}

export function openCodeEditor(host: HTMLElement, { text, label, description, tabLeaves, known, onChange }: Options): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const attributes = new Compartment()
  const attributesOf = (isInvalid: boolean) =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': 'description',
      spellcheck: 'false',
      tabindex: '0',
      ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        indentOnInput(),
        indentUnit.of('  '),
        yaml(),
        codeEditorTheme,
        attributes.of(attributesOf(false)),
        autocompletion({ override: [(context) => completionsAt(context, known())], icons: false }),
        keymap.of([
          { key: 'Tab', run: acceptCompletion },
          { key: 'F8', run: nextDiagnostic },
          { key: 'Shift-F8', run: previousDiagnostic },
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
          { key: 'Escape', run: leavesByTab(tabLeaves) },
        ]),
        EditorView.domEventHandlers({ beforeinput: typeOver, blur: (_event, blurred) => blurred.setTabFocusMode(false) }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged) return
          view.setTabFocusMode(false)
          if (transactions.some((one) => one.docChanged && one.annotation(fromOutside) !== true)) onChange(state.doc.toString())
        }),
      ],
    }),
  })
  root.append(describing(description))
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: fromOutside.of(true) })
    },
    setIssues(issues) {
      view.dispatch({ effects: attributes.reconfigure(attributesOf(issues.length > 0)) })
      view.dispatch(
        setDiagnostics(
          view.state,
          issues.flatMap((issue) => diagnosticOf(view.state.doc.toString(), issue)),
        ),
      )
    },
    select(from, to) {
      view.focus()
      const most = view.state.doc.length
      const selection = { anchor: Math.min(from, most), head: Math.min(to, most) }
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) })
    },
    close() {
      view.destroy()
      root.replaceChildren()
    },
  }
}

/** Typing over several lines, the browser would keep their style in attributes, which the content security policy refuses. */
function typeOver({ inputType, data }: InputEvent, view: EditorView): boolean {
  if (inputType !== 'insertText' || data === null || view.composing || view.state.selection.main.empty) return false
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

/** Until the user types or leaves: without a time limit, unlike what the library does by itself. */
function leavesByTab(announcement: string): (view: EditorView) => boolean {
  return (view) => {
    view.setTabFocusMode(true)
    view.dispatch({ effects: EditorView.announce.of(announcement) })
    return true
  }
}

function diagnosticOf(text: string, issue: TextIssue): readonly Diagnostic[] {
  const { line, column } = issue
  if (line === null) return []
  return [{ ...markedRange(text, line, column ?? 1), severity: 'error', message: issueText(issue) }]
}

/** References by id do not reach out of a shadow root. */
function describing(text: string): HTMLElement {
  const element = document.createElement('p')
  element.id = 'description'
  element.hidden = true
  element.textContent = text
  return element
}

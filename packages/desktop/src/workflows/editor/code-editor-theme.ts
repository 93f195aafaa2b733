// The look of the editor. Colors and fonts come from the window.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  // Around all of it, by the element that contains it.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '7px 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '.cm-reference, .cm-reference *': { color: 'var(--code-keyword)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--bad)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'inherit',
    maxHeight: '16em',
    minWidth: '12em',
    maxWidth: '80vw',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', borderRadius: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--cloud-soft)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--cloud)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--ink-soft)' },
  '@media (max-width: 640px)': { '.cm-tooltip.cm-completionInfo': { display: 'none' } },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '20em', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '30em', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
})

const highlight = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'var(--cloud)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-faint)' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--ink-soft)' },
])

const references = new MatchDecorator({ regexp: /\{\{[^{}]*\}\}/g, decoration: Decoration.mark({ class: 'cm-reference' }) })

const referenceMarks = ViewPlugin.define(
  (view) => ({
    marks: references.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = references.updateDeco(update, this.marks)
    },
  }),
  { decorations: ({ marks }) => marks },
)

export const codeEditorTheme: Extension = [theme, syntaxHighlighting(highlight), referenceMarks]

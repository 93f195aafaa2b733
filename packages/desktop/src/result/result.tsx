// What a tool answered, drawn as people want to see it.
import { lazy, Suspense } from 'react'
import { Picture } from '../part/picture.tsx'
import { locale } from '../strings/locale.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Diff } from './diff.tsx'
import { type FileEntry, type Shown, shownOf } from './family.ts'
import { JsonTree } from './json-tree.tsx'
import { LongText } from './long-text.tsx'
import { Terminal } from './terminal.tsx'

export function Result({ output }: { output: unknown }) {
  const shown = shownOf(output)
  switch (shown.as) {
    case 'diff':
      return <Diff {...shown} />
    case 'terminal':
      return <Terminal {...shown} />
    case 'files':
      return <Files {...shown} />
    case 'matches':
      return <Matches {...shown} />
    case 'text':
      return <Words {...shown} />
    case 'image':
      return <img src={shown.source} alt={visibleText(shown.title)} className="max-h-96 max-w-full rounded-md border border-line" />
    case 'picture_file':
      return (
        <p className="space-y-2 text-soft">
          {shown.file_id !== null && (
            <Picture file_id={shown.file_id} name={shown.path} {...fitted(shown)} className="block h-auto max-w-full" />
          )}
          <code>{visibleText(shown.path)}</code> {words.result.image(shown.media_type, shown.width, shown.height)},{' '}
          {words.result.bytes(shown.bytes)}
        </p>
      )
    case 'json':
      return <JsonTree value={shown.value} />
  }
}

const tallest = 384

/** The room it takes is known before it has come. */
function fitted({ width, height }: Of<'picture_file'>): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, tallest / Math.max(1, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

type Of<As extends Shown['as']> = Extract<Shown, { as: As }>

const mostRows = 200

function Files({ path, entries, more }: Of<'files'>) {
  const left = Math.max(0, entries.length - mostRows) + more
  return (
    <div>
      <p className="mb-1 text-faint text-sm">
        <code>{visibleText(path)}</code> · {words.result.entries(entries.length + more)}
      </p>
      <ul className="font-mono text-[13px] leading-6">
        {entries.slice(0, mostRows).map((entry) => (
          <FileLine key={entry.path} entry={entry} />
        ))}
      </ul>
      {left > 0 && <p className="text-faint text-sm">{words.result.more(left)}</p>}
    </div>
  )
}

function FileLine({ entry: { path, type, size } }: { entry: FileEntry }) {
  const isFolder = type === 'directory'
  return (
    <li className="flex items-baseline justify-between gap-4">
      <span className={`min-w-0 break-all ${isFolder ? 'text-cloud' : ''}`}>
        <bdi>{visibleText(path)}</bdi>
        {isFolder ? '/' : ''}
      </span>
      {size !== null && !isFolder && <span className="shrink-0 text-faint">{size.toLocaleString(locale)}</span>}
    </li>
  )
}

function Matches({ lines, files, matches }: Of<'matches'>) {
  const byPath = Map.groupBy(lines.slice(0, mostRows), ({ path }) => path)
  return (
    <div className="space-y-2">
      <p className="text-faint text-sm">{words.result.matches(matches)}</p>
      {[...byPath].map(([path, found]) => (
        <div key={path}>
          <p className="font-mono text-[13px] text-cloud">
            <bdi>{visibleText(path)}</bdi>
          </p>
          {found.map(({ line, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: matches keep their order.
            <p key={index} className="flex gap-3 font-mono text-[13px]">
              <span className="w-10 shrink-0 text-right text-faint">{line}</span>
              <span className="min-w-0 whitespace-pre-wrap break-all">{visibleText(text)}</span>
            </p>
          ))}
        </div>
      ))}
      {files.map((entry) => (
        <p key={entry.path} className="font-mono text-[13px]">
          <bdi>{visibleText(entry.path)}</bdi>
        </p>
      ))}
    </div>
  )
}

const Markdown = lazy(async () => ({ default: (await import('../markdown/markdown.tsx')).Markdown }))

function Words({ title, text, notes }: Of<'text'>) {
  const isPage = /^https?:/.test(title)
  return (
    <div className="space-y-2">
      {title !== '' && <p className="break-all font-mono text-[13px] text-cloud">{visibleText(title)}</p>}
      {isPage ? (
        <Suspense fallback={null}>
          <Markdown text={text.slice(0, 20_000)} />
        </Suspense>
      ) : (
        <LongText text={text} />
      )}
      {notes.map((note) => (
        <p key={note} className="text-faint text-sm">
          {visibleText(note)}
        </p>
      ))}
    </div>
  )
}

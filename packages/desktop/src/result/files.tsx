import type { FsListOutput, FsSearchOutput, ReadBinary, ReadText } from '@tandem/contract/tool/output'
import { StoredImage } from '../part/stored-image.tsx'
import { locale } from '../strings/locale.ts'
import { words } from '../strings/window.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleText } from '../text/visible.ts'
import { LongText } from './long-text.tsx'

const mostRows = 200

export function FileList({ path, entries, more }: FsListOutput) {
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

function FileLine({ entry: { path, type, size, target } }: { entry: FsListOutput['entries'][number] }) {
  const isFolder = type === 'directory'
  return (
    <li className="flex items-baseline justify-between gap-4">
      <span className={`min-w-0 break-all ${isFolder ? 'text-cloud' : ''}`}>
        <bdi>{visibleText(path)}</bdi>
        {isFolder ? '/' : ''}
        {target !== undefined && (
          <span className="text-faint">
            {' → '}
            <bdi>{visibleText(target)}</bdi>
          </span>
        )}
      </span>
      {!isFolder && <span className="shrink-0 text-faint">{formatBytes(size)}</span>}
    </li>
  )
}

export function FileText({ path, content, notes }: ReadText) {
  return (
    <div className="space-y-2">
      <Path path={path} />
      <LongText text={content} />
      <Notes notes={notes} />
    </div>
  )
}

export function OtherFile({ path, media_type, size, dimensions, notes, file_id }: ReadBinary) {
  const type = dimensions ? words.result.image(media_type, dimensions.width, dimensions.height) : media_type
  return (
    <div className="space-y-2">
      <p className="text-soft">
        <code className="break-all">{visibleText(path)}</code> {visibleText(type)}, {words.result.bytes(size)}
      </p>
      {file_id !== undefined && <StoredImage file_id={file_id} name={path} {...dimensions} className="block h-auto max-w-full" />}
      <Notes notes={notes} />
    </div>
  )
}

export function Matches({ lines, files, matches, truncated, notes }: FsSearchOutput) {
  const byPath = Map.groupBy(lines.slice(0, mostRows), ({ path }) => path)
  const left = Math.max(0, lines.length - mostRows) + Math.max(0, files.length - mostRows)
  return (
    <div className="space-y-2">
      <p className="text-faint text-sm">{words.result.matches(matches)}</p>
      {[...byPath].map(([path, found]) => (
        <div key={path}>
          <Path path={path} />
          {found.map(({ line, text, match }) => (
            <p key={line} className="flex gap-3 font-mono text-[13px]">
              <span className="w-10 shrink-0 text-right text-faint">{line}</span>
              <span className={`wrap-anywhere min-w-0 whitespace-pre-wrap ${match ? '' : 'text-faint'}`}>{visibleText(text)}</span>
            </p>
          ))}
        </div>
      ))}
      {files.slice(0, mostRows).map(({ path, matched_lines }) => (
        <p key={path} className="flex items-baseline justify-between gap-4 font-mono text-[13px]">
          <bdi className="min-w-0 break-all">{visibleText(path)}</bdi>
          <span className="shrink-0 text-faint">{matched_lines.toLocaleString(locale)}</span>
        </p>
      ))}
      {left > 0 && <p className="text-faint text-sm">{words.result.more(left)}</p>}
      <Notes notes={truncated ? [...notes, words.result.moreMatches] : notes} />
    </div>
  )
}

function Path({ path }: { path: string }) {
  return (
    <p className="break-all font-mono text-[13px] text-cloud">
      <bdi>{visibleText(path)}</bdi>
    </p>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="text-faint text-sm">
      {visibleText(note)}
    </p>
  ))
}

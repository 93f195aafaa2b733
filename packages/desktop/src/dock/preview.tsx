// What a call would do, by kind: a diff, a command with its parts, a request, a deletion. Shortened content is marked as such.
import type { CallPreview } from '@tandem/contract/run'
import type { ReactNode } from 'react'
import { SideBySide } from '../part/side-by-side.tsx'
import { words } from '../strings/window.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleInApproval } from '../text/visible.ts'
import { PathList } from './path-list.tsx'

const say = words.approval

/** A merge has a component of its own, because its conflicts are resolved in it. */
export function Preview({ preview }: { preview: Exclude<CallPreview, { kind: 'merge' }> }) {
  switch (preview.kind) {
    case 'change':
      return <Change {...preview} />
    case 'delete':
      return (
        <div className="text-sm">
          <p>{say.deletes(preview.files, preview.folders, formatBytes(preview.bytes), preview.at_least)}</p>
          {preview.paths.length > 0 && <PathList paths={preview.paths} more={preview.more} />}
        </div>
      )
    case 'move':
      return (
        <>
          <Rows rows={[[say.from, preview.from] as const, [say.to, preview.to] as const]} />
          {preview.replaces && <p className="mt-1 text-sm text-warn">{say.replaces}</p>}
        </>
      )
    case 'folder':
      return <Box text={preview.path} />
    case 'command':
      return <Command {...preview} />
    case 'request':
      return <Request {...preview} />
    case 'page':
      return <Page {...preview} />
    case 'process':
      return <Box text={preview.command} label={say.process} />
    case 'mcp':
      return preview.description === undefined ? null : (
        <div className="text-sm">
          <p className="text-faint">{say.described}</p>
          <Box text={preview.description} />
        </div>
      )
    case 'fails':
      return (
        <div className="text-sm">
          <p className="font-medium text-bad">{say.fails}</p>
          <Box text={preview.message} />
        </div>
      )
  }
}

function Change({ path, diff, diff_truncated, lines_added, lines_removed, notes }: Extract<CallPreview, { kind: 'change' }>) {
  return (
    <div>
      <p className="mb-1 flex flex-wrap items-baseline gap-x-3 font-mono text-[13px]">
        <bdi className="min-w-0 break-all">{visibleInApproval(path)}</bdi>
        {lines_added !== null && <span className="text-good">{say.added(lines_added)}</span>}
        {lines_removed !== null && <span className="text-bad">{say.removed(lines_removed)}</span>}
      </p>
      {notes.map((note) => (
        <p key={note} className="text-sm">
          {visibleInApproval(note)}
        </p>
      ))}
      {diff === '' ? (
        <p className="text-faint text-sm">{diff_truncated ? say.noDiff : say.noLines}</p>
      ) : (
        <SideBySide diff={diff} label={say.diff(visibleInApproval(path))} />
      )}
      {diff !== '' && diff_truncated && <p className="mt-1 text-sm text-warn">{say.cutDiff}</p>}
    </div>
  )
}

function Command({ command, command_truncated, language, cwd, background, parts, remote }: Extract<CallPreview, { kind: 'command' }>) {
  return (
    <div className="space-y-1.5">
      <Box text={command} label={language === null ? say.commandLabel : say.script(visibleInApproval(language))} />
      {command_truncated && <p className="text-sm text-warn">{say.cutCommand}</p>}
      <p className="text-faint text-sm">
        <bdi>{say.inFolder(cwd === '.' ? say.workspace : visibleInApproval(cwd))}</bdi>
        {background && <span className="ml-2 text-ink">{say.background}</span>}
      </p>
      {remote && remote.sends.length > 0 && (
        <p className="break-words text-sm">{visibleInApproval(say.sends(remote.sends, remote.name))}</p>
      )}
      {remote && remote.fetches.length > 0 && (
        <p className="break-words text-sm">{visibleInApproval(say.fetches(remote.fetches, remote.name))}</p>
      )}
      {parts.length > 0 && (
        <dl aria-label={say.parts} className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          {parts.map(({ text, explains }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order, and two can be equal.
            <div key={index} className="contents">
              <dt className="min-w-0">
                <code dir="ltr" className="break-words font-mono text-[12.5px]">
                  {visibleInApproval(text)}
                </code>
              </dt>
              <dd className="mb-1 min-w-0 break-words text-soft sm:mb-0">{visibleInApproval(explains)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function Request({ method, url, headers, body, body_truncated }: Extract<CallPreview, { kind: 'request' }>) {
  return (
    <div className="space-y-1.5">
      <Box text={`${method} ${url}`} label={say.request} />
      {headers.length > 0 && <Box text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')} label={say.headers} />}
      {body !== null && <Box text={body} label={say.body} />}
      {body_truncated && <p className="text-sm text-warn">{say.cutBody}</p>}
    </div>
  )
}

function Page({ action, target, value, value_truncated, address }: Extract<CallPreview, { kind: 'page' }>) {
  return (
    <div className="space-y-1.5">
      <Rows
        rows={[
          ...(target === null ? [] : [[say.element, target] as const]),
          [action === 'open' ? say.values.open : say.page, address ?? say.noPage] as const,
        ]}
      />
      {value !== null && <Box text={value} label={say.values[action]} />}
      {value_truncated && <p className="text-sm text-warn">{say.cutCommand}</p>}
    </div>
  )
}

function Rows({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {rows.map(([name, text]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="min-w-0 break-all font-mono text-[13px]">
            <bdi>{visibleInApproval(text)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Box({ text, label }: { text: string; label?: string }): ReactNode {
  return (
    <div>
      {label !== undefined && <p className="mb-0.5 text-faint text-xs">{label}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0} className="output-box max-h-48">
        {visibleInApproval(text)}
      </pre>
    </div>
  )
}

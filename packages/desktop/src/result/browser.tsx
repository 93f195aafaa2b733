import type {
  BrowserConsoleLogsOutput,
  BrowserEvalOutput,
  BrowserNetworkLogsOutput,
  BrowserOpenOutput,
  BrowserScreenshotOutput,
  BrowserViewOutput,
} from '@tandem/contract/tool/output'
import { Badge } from '../part/badge.tsx'
import { StoredImage } from '../part/stored-image.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { JsonTree } from './json-tree.tsx'
import { TruncatedText } from './shortened.tsx'
import { Address } from './web.tsx'

type View = BrowserViewOutput & Partial<Pick<BrowserOpenOutput, 'status' | 'loaded'>>

export function PageView({ title, url, status = null, loaded = true, snapshot, text, ...view }: View) {
  const { snapshot_end, snapshot_file, dialogs, downloads, refused } = view
  return (
    <div className="space-y-2">
      {title !== '' && <p className="font-medium">{visibleText(title)}</p>}
      <Address url={url} />
      {(status !== null || !loaded) && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          {status !== null && <Badge tone={status < 400 ? 'good' : 'bad'}>{words.result.status(status)}</Badge>}
          {!loaded && <Badge tone="warn">{words.result.notLoaded}</Badge>}
        </p>
      )}
      <TruncatedText text={snapshot ?? text ?? ''} end={snapshot_end ?? ''} file={snapshot_file ?? null} />
      {dialogs.map(({ type, message, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: dialogs keep their order.
        <Aside key={index} text={words.result.dialog(type, message, answer)} />
      ))}
      {downloads.map(({ name, state, file }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: downloads keep their order.
        <Aside key={index} text={words.result.download(name, file ?? state)} />
      ))}
      <Refused hosts={refused} />
    </div>
  )
}

export function EvaluationResult(output: BrowserEvalOutput) {
  return (
    <div className="space-y-2">
      {'text' in output ? (
        <TruncatedText text={output.text} end={output.text_end ?? ''} file={output.file ?? null} />
      ) : (
        <JsonTree value={output.value} />
      )}
      <Refused hosts={output.refused} />
    </div>
  )
}

const tallest = 384

export function Screenshot({ media_type, width, height, bytes, file, file_id }: BrowserScreenshotOutput) {
  // Its size is known before it loads.
  const scale = Math.min(1, tallest / Math.max(1, height))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return (
    <div className="space-y-2 text-soft">
      {file_id !== undefined && <StoredImage file_id={file_id} name={file} {...size} className="block h-auto max-w-full" />}
      <p className="wrap-anywhere">
        <code>{visibleText(file)}</code> {visibleText(words.result.image(media_type, width, height))}, {words.result.bytes(bytes)}
      </p>
    </div>
  )
}

export function ConsoleLines({ items, dropped }: BrowserConsoleLogsOutput) {
  return (
    <div className="space-y-2">
      {items.length === 0 && <p className="text-faint">{words.result.noLines}</p>}
      <ul className="font-mono text-[13px]">
        {items.map(({ index, level, text, at }) => (
          <li key={index} className="flex gap-3 border-line border-b py-1 last:border-b-0">
            <span className={`w-20 shrink-0 ${/error/.test(level) ? 'text-bad' : 'text-faint'}`}>{visibleText(level)}</span>
            <span className="wrap-anywhere min-w-0 whitespace-pre-wrap">
              {visibleText(text)}
              {at !== null && <span className="block text-faint">{visibleText(at)}</span>}
            </span>
          </li>
        ))}
      </ul>
      <Dropped number={dropped} />
    </div>
  )
}

export function Requests({ items, dropped, refused }: BrowserNetworkLogsOutput) {
  return (
    <div className="space-y-2">
      {items.length === 0 && <p className="text-faint">{words.result.noLines}</p>}
      <ul className="font-mono text-[13px]">
        {items.map(({ index, method, url, status, failure }) => (
          <li key={index} className="flex gap-3 border-line border-b py-1 last:border-b-0">
            <span className={`w-12 shrink-0 ${failure !== null || (status ?? 0) >= 400 ? 'text-bad' : 'text-faint'}`}>{status ?? '–'}</span>
            <span className="wrap-anywhere min-w-0">
              {visibleText(`${method} ${url}`)}
              {failure !== null && <span className="block text-bad">{visibleText(failure)}</span>}
            </span>
          </li>
        ))}
      </ul>
      <Dropped number={dropped} />
      <Refused hosts={[...new Set(refused.map(({ host, port, reason_code }) => `${host}:${port} (${reason_code})`))]} />
    </div>
  )
}

function Dropped({ number }: { number: number }) {
  return number > 0 && <p className="text-faint text-sm">{words.result.dropped(number)}</p>
}

function Refused({ hosts }: { hosts: readonly string[] }) {
  return hosts.map((host) => (
    <p key={host} className="wrap-anywhere text-sm text-warn">
      {visibleText(words.result.refused(host))}
    </p>
  ))
}

function Aside({ text }: { text: string }) {
  return <p className="wrap-anywhere text-sm text-soft">{visibleText(text)}</p>
}

// Pages and responses. Addresses are text, never links: they are untrusted.
import type { HttpRequestOutput, ShownBody, WebExtractOutput, WebFetchOutput, WebSearchOutput } from '@tandem/contract/tool/output'
import { lazy, Suspense } from 'react'
import { Badge } from '../part/badge.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { TruncatedText } from './shortened.tsx'

export function SearchResults({ results }: WebSearchOutput) {
  if (results.length === 0) return <p className="text-faint">{words.result.noResults}</p>
  return (
    <ol className="space-y-3">
      {results.map(({ title, url, text, published }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results keep their order.
        <li key={index}>
          <p className="font-medium">{visibleText(title)}</p>
          <Address url={url} />
          <p className="text-soft">{visibleText(text)}</p>
          {published !== null && <p className="text-faint text-sm">{words.result.published(visibleText(published))}</p>}
        </li>
      ))}
    </ol>
  )
}

type Answered = Pick<WebFetchOutput, 'url' | 'status' | 'bytes' | 'truncated' | 'redirected_from' | 'body'>

export function Response({ content_type, ...response }: WebFetchOutput) {
  return (
    <div className="space-y-2">
      <StatusLine {...response} type={content_type} />
      <Body {...response} />
    </div>
  )
}

export function Request({ request, headers, redirect_stopped, ...response }: HttpRequestOutput) {
  return (
    <div className="space-y-2">
      <StatusLine {...response} method={request.method} type={headers['content-type'] ?? null} />
      {redirect_stopped !== undefined && (
        <p className="wrap-anywhere text-sm text-warn">{words.result.redirectStopped(visibleText(redirect_stopped))}</p>
      )}
      <Headers title={words.result.requestHeaders} headers={request.headers} />
      <Headers title={words.result.responseHeaders} headers={headers} />
      <Body {...response} />
    </div>
  )
}

function StatusLine({ url, status, bytes, redirected_from, method, type }: Answered & { method?: string; type: string | null }) {
  return (
    <div>
      <Address url={method === undefined ? url : `${method} ${url}`} />
      {redirected_from.map((from) => (
        <p key={from} className="wrap-anywhere text-faint text-sm">
          {words.result.redirected(visibleText(from))}
        </p>
      ))}
      <p className="mt-1 flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={status < 400 ? 'good' : 'bad'}>{words.result.status(status)}</Badge>
        <span className="text-faint">
          {type !== null && `${visibleText(type)}, `}
          {words.result.bytes(bytes)}
        </span>
      </p>
    </div>
  )
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers)
  if (all.length === 0) return null
  return (
    <details>
      <summary className="details-summary w-fit rounded text-soft text-sm">{title}</summary>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 font-mono text-[13px]">
        {all.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{visibleText(name)}</dt>
            <dd className="wrap-anywhere">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Body({ body, truncated }: { body: ShownBody; truncated: boolean }) {
  return (
    <>
      {body.kind === 'empty' && <p className="text-faint">{words.result.emptyBody}</p>}
      {body.kind === 'binary' && <p className="wrap-anywhere text-soft">{words.result.keptIn(visibleText(body.file))}</p>}
      {body.kind === 'text' && <TruncatedText text={body.text} end={body.text_end ?? ''} file={body.file ?? null} />}
      {truncated && <p className="text-faint text-sm">{words.result.onlyBeginning}</p>}
    </>
  )
}

const Markdown = lazy(async () => ({ default: (await import('../markdown/markdown.tsx')).Markdown }))
const mostMarkdown = 20_000

export function Extract({ url, title, byline, site, published, text, text_end, file, truncated }: WebExtractOutput) {
  const about = [byline, site, published].filter((one) => one !== null && one !== '').join(' · ')
  return (
    <div className="space-y-2">
      {title !== null && <p className="font-medium">{visibleText(title)}</p>}
      <Address url={url} />
      {about !== '' && <p className="text-faint text-sm">{visibleText(about)}</p>}
      <Suspense fallback={null}>
        <Markdown text={text.slice(0, mostMarkdown)} />
      </Suspense>
      {(text_end !== undefined || text.length > mostMarkdown) && (
        <p className="wrap-anywhere text-faint text-sm">{visibleText(words.result.shortened(file ?? null))}</p>
      )}
      {text_end !== undefined && <TruncatedText text={text_end} end="" file={null} />}
      {truncated && <p className="text-faint text-sm">{words.result.onlyBeginning}</p>}
    </div>
  )
}

export function Address({ url }: { url: string }) {
  return (
    <p className="wrap-anywhere font-mono text-[13px] text-cloud">
      <bdi>{visibleText(url)}</bdi>
    </p>
  )
}

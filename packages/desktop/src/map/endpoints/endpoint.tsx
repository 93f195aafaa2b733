import { isContent, type Method, problemsOf, type Route } from '@tandem/contract/http'
import { type ProblemCode, problems } from '@tandem/contract/problem'
import { Badge, type Tone } from '../../part/badge.tsx'
import { Fold } from '../../part/fold.tsx'
import { strings } from '../../strings/map.ts'
import { Fields } from '../shape/fields.tsx'

const tones: Record<Method, Tone> = { GET: 'good', POST: 'cloud', PUT: 'warn', DELETE: 'bad', WS: 'desktop' }

export function Endpoint({ route }: { route: Route }) {
  return <Fold summary={<Summary route={route} />}>{() => <Detail route={route} />}</Fold>
}

function Summary({ route }: { route: Route }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={tones[route.method]}>
          <span className="inline-block min-w-11 text-center font-mono">{route.method}</span>
        </Badge>
        <code className="min-w-0 grow font-medium">{route.path}</code>
        {route.auth === 'none' && <Badge>{strings.endpoints.public}</Badge>}
        {route.idempotent && <Badge>{strings.endpoints.idempotent}</Badge>}
      </span>
      <span className="mt-0.5 block text-soft text-sm">{route.summary}</span>
    </>
  )
}

function Detail({ route }: { route: Route }) {
  const words = strings.endpoints
  const own = new Set<ProblemCode>(route.problems)
  const implied = problemsOf(route).filter((code) => !own.has(code))
  return (
    <>
      {route.description && <p className="max-w-2xl text-soft">{route.description}</p>}
      <div className="grid gap-x-8 lg:grid-cols-2">
        <div className="min-w-0">
          {route.params && <Fields title={words.params} shape={route.params} />}
          {route.query && <Fields title={words.query} shape={route.query} />}
          {route.headers && <Fields title={words.headers} shape={route.headers} />}
          {route.body && <Payload title={words.body} shape={route.body} />}
        </div>
        <div className="min-w-0">
          {Object.entries(route.replies).map(([status, reply]) => (
            <Payload key={status} title={words.reply(status)} shape={reply} />
          ))}
        </div>
      </div>
      {own.size > 0 && (
        <div className="mt-4">
          <h4 className="font-medium text-faint text-sm">{words.own_problems}</h4>
          <Problems codes={[...own]} />
        </div>
      )}
      <details className="mt-4 text-sm">
        <summary className="w-fit rounded text-faint underline decoration-dotted underline-offset-4 hover:text-ink">
          {words.more_problems(implied.length)}
        </summary>
        <Problems codes={implied} />
      </details>
    </>
  )
}

function Payload({ title, shape }: { title: string; shape: Route['replies'][number] }) {
  if (!isContent(shape)) return <Fields title={title} shape={shape} />
  const kind = strings.endpoints.content[shape.content]
  if (shape.content === 'multipart') return <Fields title={`${title} · ${kind}`} shape={shape.fields} />
  if (shape.content === 'messages') {
    return (
      <>
        <Fields title={`${title} · ${kind} ↑`} shape={shape.client} />
        <Fields title={`${title} · ${kind} ↓`} shape={shape.server} />
      </>
    )
  }
  return (
    <div className="mt-3">
      <h4 className="mb-1 font-medium text-faint text-sm">{title}</h4>
      <p className="text-soft text-sm">{kind}</p>
    </div>
  )
}

function Problems({ codes }: { codes: readonly ProblemCode[] }) {
  return (
    <ul className="mt-2 grid gap-x-8 gap-y-2 text-sm lg:grid-cols-2">
      {codes.map((code) => (
        <li key={code}>
          <code>
            {problems[code].status} {code}
          </code>
          <span className="block text-soft">
            {problems[code].title}. {problems[code].remedy}
          </span>
        </li>
      ))}
    </ul>
  )
}

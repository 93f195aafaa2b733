// Many clients say `application/json` with every request, also where they send nothing. Nothing is then no body, not a broken one: a route
// that needs one still refuses, by its schema.
import type { FastifyInstance } from 'fastify'
import type { ReadBody } from './endpoint.ts'

export function takeEmptyJson(app: FastifyInstance): void {
  // As the app itself is set: names are not looked at here.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body, done)
  })
}

/** The same with a way of reading that some routes have of their own. */
export function takeJson(scope: FastifyInstance, read: ReadBody): void {
  const parse = scope.getDefaultJsonParser('ignore', 'ignore')
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const value = read(body)
    if (value === undefined) parse(request, body.toString(), done)
    else done(null, value)
  })
}

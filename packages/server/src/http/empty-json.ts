// Many clients say `application/json` with every request, also where they send nothing. Nothing is then no body, not a broken one: a route
// that needs one still refuses, by its schema.
import type { FastifyInstance } from 'fastify'

export function takeEmptyJson(app: FastifyInstance): void {
  // As the app itself is set: names are not looked at here.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body, done)
  })
}

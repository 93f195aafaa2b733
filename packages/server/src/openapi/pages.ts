// The interactive documentation, in development only.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument } from './document.ts'

export async function serveDocumentation(app: FastifyInstance, document: OpenApiDocument): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/swagger',
    theme: { title: 'Tandem cloud backend' },
    // The document is embedded in the page: its script would look for it relative to the address of the page.
    uiConfig: { spec: document, layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, tryItOutEnabled: true },
  })
  app.get('/swagger/index.html', async (_request, reply) => {
    const page = await app.inject('/swagger/')
    return reply.type('text/html; charset=utf-8').send(page.body)
  })
}

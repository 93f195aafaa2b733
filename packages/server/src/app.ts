// The backend as a list of features. Each provides its endpoints; one executor serves all of them.
import { availableParallelism } from 'node:os'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { endSessionsOfDevice } from './account/device-sessions.ts'
import { accountEndpoints } from './account/endpoints.ts'
import { deviceDirectEndpoints, deviceEndpoints } from './device/endpoints.ts'
import { openHeartbeats } from './device/heartbeats.ts'
import { pushDevices } from './device/store.ts'
import { fileEndpoints } from './file/endpoints.ts'
import { healthEndpoints } from './health/endpoints.ts'
import { trustedProxies } from './http/admission/address.ts'
import { countOpenRequests, openAdmission, requestsOpen } from './http/admission/admission.ts'
import { registerJsonParser } from './http/body/json-body.ts'
import { corsHeaders, exposedHeaders } from './http/cors.ts'
import { serveDirectly } from './http/direct/direct.ts'
import { register } from './http/endpoint.ts'
import { openFailures, registerErrorHandler } from './http/failure.ts'
import { answerUnknownAddresses, answerUnreadableAddress } from './http/not-found.ts'
import { measureRequests, openMeters } from './http/request-metrics.ts'
import { answerBrokenRequest, serverFactory } from './http/server.ts'
import { requestId, ShutdownState, setTransport } from './http/transport.ts'
import { llmDirectEndpoints, llmEndpoints } from './llm/endpoints.ts'
import type { Gateway } from './llm/gateway.ts'
import { logEndpoints } from './log/endpoints.ts'
import { openApiDocument } from './openapi/document.ts'
import { serveDocumentation } from './openapi/pages.ts'
import { serveRealtime } from './realtime/route.ts'
import type { Services } from './services.ts'
import { syncEndpoints } from './sync/endpoints.ts'
import { taskEndpoints } from './task/endpoints.ts'
import { version } from './version.ts'
import { workflowEndpoints } from './workflow/endpoints.ts'

/** Passwords do not wait here, so the queue can be short: it absorbs bursts, not permanent overload. */
const admissionLimits = {
  // Enough to keep the cores busy while some wait for the database; on one core, more would only slow each other down.
  places: Math.min(10, 2 + 4 * availableParallelism()),
  places_per_user: 3,
  queue: 64,
  queue_per_user: 24,
  patience_ms: 1_000,
  standing_ms: 100,
}

/** Model calls beyond their limit are refused by the meter, with its reason; a few more bodies may arrive in the meantime. */
const openLimits = ({ calls_in_flight }: { readonly calls_in_flight: number }) => ({
  requests: requestsOpen,
  model_calls: calls_in_flight + requestsOpen,
})

/** What only one feature uses is passed to that feature. */
export interface AppServices extends Services {
  readonly gateway: Gateway
}

export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { config, gateway } = services
  const admission = openAdmission(admissionLimits)
  const meters = openMeters({ admission, sockets: () => services.hub.sockets })

  const heartbeats = openHeartbeats(services)

  const endpoints = [
    ...healthEndpoints(services, meters),
    ...accountEndpoints(services),
    ...deviceEndpoints(services, heartbeats, (userId, deviceId) => endSessionsOfDevice(services, userId, deviceId)),
    ...syncEndpoints(services, pushDevices),
    ...workflowEndpoints(services),
    ...taskEndpoints(services),
    ...fileEndpoints(services),
    ...logEndpoints(services),
    ...llmEndpoints(gateway),
  ]
  const directEndpoints = [...llmDirectEndpoints(gateway), ...deviceDirectEndpoints(services, heartbeats)]
  const routes = [...endpoints, ...directEndpoints].map((one) => one.route)

  const gate = { ...services, admission, openRequests: countOpenRequests(openLimits(config.llm.limits)) }
  const [door, failures, trust] = [new ShutdownState(), openFailures(), trustedProxies(config.trust_proxy)]
  const ground = { gate, door, failures, meters, trust, log: services.log, cors: corsHeaders(config.cors_origins) }

  const app = Fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    trustProxy: config.trust_proxy === false ? false : trust,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An upload may take as long as data arrives; a stalled one is aborted. Other bodies have their own limit.
    serverFactory: serverFactory(
      { requestTimeout: 0, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
      { idle_ms: 60_000, keep_alive_ms: 72_000 },
      serveDirectly(directEndpoints, ground),
    ),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerUnreadableAddress,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Payloads may contain any key. JSON.parse makes each an own property, closed schemas reject unknown ones, and nothing is merged.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  })
  app.decorateRequest('caller', undefined)
  // Bodies are JSON or multipart; a form post of another site's page is neither.
  app.removeContentTypeParser('text/plain')
  registerJsonParser(app)

  app.addHook('onClose', () => heartbeats.close())
  registerErrorHandler(app, failures)
  answerUnknownAddresses(app, routes, services.cache)
  measureRequests(app, meters)
  await setTransport(app, door)
  await app.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: config.env === 'production' })
  await app.register(cors, { origin: [...config.cors_origins], methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], exposedHeaders })
  for (const one of endpoints) register(app, gate, one)
  await serveRealtime(app, services, () => admission.waiting > 0)
  if (config.env === 'development') await serveDocumentation(app, openApiDocument(routes, version))
  return app
}

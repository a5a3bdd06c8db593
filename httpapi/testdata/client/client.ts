// A client of the API that uses the types that openapi-typescript generates from the
// document. It is compiled and never run: it fails to compile if an operation or a field
// that clients rely on is missing or has another type.
import createClient from "openapi-fetch";

import type { components, paths } from "./api";

type Schemas = components["schemas"];

const api = createClient<paths>({ baseUrl: "/api/v2", headers: { "X-API-KEY": "apg_example" } });

// Same is true if A and B are the same type, so that only true can be assigned to it.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const statuses: Same<Schemas["AssetStatus"], "UNKNOWN" | "ALLOWED" | "BLOCKED"> = true;
const reportStatuses: Same<Schemas["ReportStatus"], "TODO" | "IN_PROGRESS" | "CLOSED"> = true;
const reviewStatuses: Same<Schemas["ReviewStatus"], "APPROVE" | "REJECT" | "SKIP" | "ESCALATE"> = true;

export async function blockedSince(day: string): Promise<Schemas["ChangelogEntry"][]> {
  const { data, error } = await api.POST("/asset/changelog", {
    body: { type: "URL", content: null, fromStatus: "UNKNOWN", toStatus: "BLOCKED", startDate: day, endDate: null },
    params: { header: { "X-Request-Id": "blocked-since" } },
  });
  if (error) {
    throw apiError(error);
  }
  return data.changelog.filter((entry) => entry.assetId > 0 && entry.updatedAt.endsWith("Z"));
}

// mayShow returns whether each content may be shown. What is not recognized may not.
export async function mayShow(contents: string[]): Promise<boolean[]> {
  const { data, error } = await api.POST("/asset/check/batch", { body: { contents } });
  if (error) {
    throw apiError(error);
  }
  return data.results.map((result) => {
    if ("error" in result) {
      const message: "Content is required" | "Invalid asset format" = result.error;
      const reason: Schemas["ContentReason"] = result.reason;
      console.warn(result.content, message, reason);
      return false;
    }
    return result.status !== "BLOCKED";
  });
}

// decidedBy returns the asset or the external lists that decided about a content.
export async function decidedBy(content: string): Promise<string> {
  const { data, error } = await api.POST("/asset/check", { body: { content } });
  if (error) {
    throw apiError(error);
  }
  const lists = data.lists.map((list) => list.name).join();
  return data.match === null ? `${data.source} ${lists}` : `${data.match.kind} ${data.match.assetId} ${data.match.content}`;
}

// blockedAssets returns all blocked assets, page by page.
export async function blockedAssets(): Promise<Schemas["ListedAsset"][]> {
  const assets: Schemas["ListedAsset"][] = [];
  let cursor = 0;
  for (;;) {
    const { data, error } = await api.GET("/asset/list", {
      params: { query: { status: "BLOCKED", prefix: "https://", changedSince: "2025-01-05", limit: 10000, ...(cursor && { cursor }) } },
    });
    if (error) {
      throw apiError(error);
    }
    assets.push(...data.assets);
    if (data.nextCursor === null) {
      return assets.filter((one) => one.updatedAt === null || one.canonical === one.content);
    }
    cursor = Number(data.nextCursor);
  }
}

// blockedHosts returns null if nothing has changed since the response with the tag.
export async function blockedHosts(tag: string): Promise<string[] | null> {
  const { data, error, response } = await api.GET("/asset/export/{format}", {
    params: { path: { format: "eth-phishing-detect" }, query: { status: "BLOCKED" }, header: { "If-None-Match": tag } },
  });
  if (response.status === 304) {
    return null;
  }
  if (error) {
    throw apiError(error);
  }
  return typeof data === "object" && "blacklist" in data ? data.blacklist : null;
}

// dispute can be called again with the same key and arguments if the response was lost.
export async function dispute(key: string, content: string, email?: string): Promise<string> {
  const { data, error, response } = await api.POST("/dispute/create", {
    body: { content, email: email ?? null, description: "This site is ours." },
    params: { header: { "Idempotency-Key": key } },
  });
  if (error) {
    throw apiError(error);
  }
  const message: string | undefined = data.message;
  return `${data.id} ${data.content} ${message ?? ""} ${response.headers.get("Idempotency-Replayed")} ${response.headers.get("X-Request-Id")}`;
}

export async function allow(key: string, contents: string[]): Promise<number[]> {
  const { data, error } = await api.POST("/organization/assets", {
    body: { assets: contents.map((content) => ({ content, name: "Shop", description: null, groupId: 7 })) },
    params: { header: { "Idempotency-Key": key } },
  });
  if (error) {
    throw wrappedError(error);
  }
  if ("dryRun" in data) {
    throw new Error("not a dry run");
  }
  const ids: number[] = [];
  for (const result of data.results) {
    if (result.success) {
      ids.push(result.id);
    } else {
      const reason: string = result.error;
      console.warn(result.content, reason);
    }
  }
  const count: number = data.successCount + data.errorCount;
  return count > 0 ? ids : [];
}

// preview returns what allow would do with each content.
export async function preview(contents: string[]): Promise<string[]> {
  const { data, error } = await api.POST("/organization/assets", {
    body: { assets: contents.map((content) => ({ content })), dryRun: true },
  });
  if (error) {
    throw wrappedError(error);
  }
  if (!("dryRun" in data)) {
    throw new Error("a server without dry runs has added the assets");
  }
  const dryRun: true = data.dryRun;
  return data.results.map((result) => {
    const status: Schemas["AssetStatus"] | null = result.status;
    const id: number | undefined = result.success ? result.id : undefined;
    const reason: string = result.success ? "" : result.error;
    return [dryRun, result.content, id, reason, status].join(" ");
  });
}

// allowed returns the entries of a group, page by page.
export async function allowed(groupId: number): Promise<Schemas["Entry"][]> {
  const entries: Schemas["Entry"][] = [];
  let cursor = 0;
  for (;;) {
    const { data, error } = await api.GET("/organization/assets", {
      params: { query: { status: "ALLOWED", groupId, prefix: "https://", limit: 1000, ...(cursor && { cursor }) } },
    });
    if (error) {
      throw apiError(error);
    }
    entries.push(...data.assets);
    if (data.nextCursor === null) {
      return entries.filter((one) => one.expiresAt === null || one.submitted !== one.content);
    }
    cursor = data.nextCursor;
  }
}

// disallow returns the IDs that were not on the allowlist.
export async function disallow(ids: number[]): Promise<number[]> {
  const { data, error } = await api.POST("/organization/assets/remove", { body: { ids } });
  if (error) {
    throw wrappedError(error);
  }
  const unlisted: number[] = [];
  for (const result of data.results) {
    if (!result.success && result.id !== undefined) {
      const reason: "Content is required" | "Invalid asset format" | "Asset not found in organization" = result.error;
      console.warn(result.id, reason);
      unlisted.push(result.id);
    }
  }
  const count: number = data.successCount + data.errorCount;
  return count > 0 ? unlisted : [];
}

// disallowContents returns why each content was not removed from the allowlist.
export async function disallowContents(contents: string[]): Promise<Map<string, string>> {
  const { data, error } = await api.POST("/organization/assets/remove", { body: { contents } });
  if (error) {
    throw wrappedError(error);
  }
  const reasons = new Map<string, string>();
  for (const result of data.results) {
    if (!result.success && result.content !== undefined) {
      const reason: "Content is required" | "Invalid asset format" | "Asset not found in organization" = result.error;
      reasons.set(result.content, reason);
    }
  }
  return reasons;
}

export async function* reports(): AsyncGenerator<Schemas["Report"]> {
  for (let cursor: number | null = null; ; ) {
    const page: Schemas["ReportsResponse"] = await reportsAfter(cursor);
    yield* page.reports;
    if (page.nextCursor === null) {
      return;
    }
    cursor = page.nextCursor;
  }
}

async function reportsAfter(cursor: number | null): Promise<Schemas["ReportsResponse"]> {
  const { data, error } = await api.GET("/organization/reports", {
    params: {
      query: {
        ...(cursor === null ? {} : { cursor }),
        limit: 100,
        status: "CLOSED",
        searchQuery: "shop",
        reporterQuery: "ada",
        excludeAutomation: true,
        onlyRejected: false,
        reviewStatuses: ["APPROVE", "REJECT"],
        reviewedByUserId: 1,
        startDate: "2025-01-01",
        endDate: "2025-01-31T23:59:59Z",
        brandIds: [3],
      },
    },
  });
  if (error) {
    throw apiError(error);
  }
  return data;
}

export async function reportsOfSlug(slug: string): Promise<string[]> {
  const { data, error } = await api.POST("/public/getOrganizationReports", {
    body: {
      slug,
      limit: 20,
      cursor: null,
      status: "TODO",
      searchQuery: null,
      reporterQuery: null,
      excludeAutomation: true,
      onlyRejected: null,
      reviewStatuses: ["SKIP", "ESCALATE"],
      reviewedByUserId: null,
      startDate: null,
      endDate: null,
      brandIds: [3],
    },
  });
  if (error) {
    throw apiError(error);
  }
  return data.reports.map(describe);
}

function describe(report: Schemas["Report"]): string {
  const brand: number | null = report.brandId;
  const reporter: string | null = report.reporter && (report.reporter.fullName ?? report.reporter.email);
  const automation: boolean = report.reporter?.automation ?? false;
  const proposals = report.proposals.map((proposal) => {
    const reviewer: number | null = proposal.reviewedBy;
    const reviewedAt: string | null = proposal.reviewedAt;
    const review: Schemas["ReviewStatus"] | null = proposal.reviewStatus;
    const { id, type, content, status } = proposal.asset;
    return [proposal.id, id, type, content, status, proposal.proposedStatus, review, reviewer, reviewedAt].join(" ");
  });
  return [report.id, report.title, report.description, report.status, report.createdAt, report.updatedAt, brand, reporter, automation]
    .concat(proposals)
    .join(" ");
}

// reportLink reports a link, and returns the ID of the report.
export async function reportLink(content: string, description: string, key: string): Promise<number> {
  const { data, error } = await api.POST("/report/create", {
    body: { title: "A link", description, proposals: [{ content, proposedStatus: "BLOCKED" }] },
    params: { header: { "Idempotency-Key": key } },
  });
  if (error) {
    throw apiError(error);
  }
  return data.id;
}

// outcomeOf returns what became of a dispute, or null while it waits for a decision.
export async function outcomeOf(id: number): Promise<string | null> {
  const { data, error } = await api.GET("/dispute/get", { params: { query: { id } } });
  if (error) {
    throw apiError(error);
  }
  const state: Schemas["DisputeState"] = data.state;
  const { closedAt, reason }: { closedAt: string | null; reason: string | null } = data;
  return closedAt === null ? null : [data.id, data.asset.content, data.asset.status, state, closedAt, reason].join(" ");
}

export async function version(): Promise<string> {
  const { data } = await api.GET("/openapi.json");
  return data === undefined ? "" : data.info.version;
}

// apiError converts the error body of all operations that do not change an allowlist.
function apiError(error: Schemas["Error"]): Error {
  return new Error([error.code, error.message, ...error.issues.map((issue) => issue.message)].join(": "));
}

// wrappedError converts the error body of the operations that change an allowlist.
function wrappedError(error: Schemas["WrappedError"]): Error {
  const problem: { code: Schemas["ErrorCode"]; message: string } = error.error;
  return new Error(`${problem.code}: ${problem.message}`);
}

export const enumerations = [statuses, reportStatuses, reviewStatuses];

// The smallest body of each operation.
export const smallest = [
  () => api.POST("/asset/changelog", { body: {} }),
  () => api.POST("/dispute/create", { body: { content: "a.example" } }),
  () => api.POST("/organization/assets", { body: { assets: [{ content: "a.example" }] } }),
  () => api.POST("/public/getOrganizationReports", { body: { slug: "acme", limit: 1 } }),
  () => api.POST("/report/create", { body: { proposals: [] } }),
];

// Calls that must not compile.
export const mistakes = [
  // @ts-expect-error limit is required
  () => api.POST("/public/getOrganizationReports", { body: { slug: "acme" } }),
  // @ts-expect-error slug is required
  () => api.POST("/public/getOrganizationReports", { body: { limit: 1 } }),
  // @ts-expect-error there is no such type
  () => api.POST("/asset/changelog", { body: { type: "url" } }),
  // @ts-expect-error assets is required
  () => api.POST("/organization/assets", { body: {} }),
  // @ts-expect-error dryRun must be a boolean
  () => api.POST("/organization/assets", { body: { assets: [{ content: "a.example" }], dryRun: "true" } }),
  // @ts-expect-error a new asset of a dry run has no ID
  (asset: Schemas["DryRunAddedAsset"]): number => asset.id,
  // @ts-expect-error content is required
  () => api.POST("/dispute/create", { body: { content: null } }),
  // @ts-expect-error proposedStatus is required
  () => api.POST("/report/create", { body: { proposals: [{ content: "a.example" }] } }),
  // @ts-expect-error id is required
  () => api.GET("/dispute/get", {}),
  // @ts-expect-error the listing takes no body
  () => api.POST("/organization/reports", {}),
];

import { expect } from "chai";
import { Hono } from "hono";
import { exactRouter } from "../../../../../emulator/http/route/exactRouter.ts";

function makeApp(app: Hono): Hono {
  app.use(async (http, next) => {
    http.header("x-all", "1");
    return next();
  });
  app.use("/admin/*", async (http, next) => {
    http.header("x-admin", http.req.path);
    return next();
  });
  app.get("/requests/v2", (http) => http.text("v2"));
  app.post("/requests/v2", (http) => http.text("posted"));
  app.get("/requests/:id", (http) => http.text(`one ${http.req.param("id")}`));
  app.get("/requests/:id/signature", (http) => http.text(`signature of ${http.req.param("id")}`));
  app.get("/admin/keys", (http) => http.text("keys"));
  app.notFound((http) => http.text("nothing", 404));
  return app;
}

async function answerOf(app: Hono, method: string, path: string) {
  const answer = await app.request(path, { method });
  return [answer.status, await answer.text(), [...answer.headers].filter(([name]) => name.startsWith("x-"))];
}

describe("exactRouter", () => {
  it("leads every request where the usual router does, the first time and again", async () => {
    const usual = makeApp(new Hono());
    const exact = makeApp(new Hono({ router: exactRouter() }));
    for (const round of [1, 2]) {
      for (const method of ["GET", "POST", "HEAD", "OPTIONS", "DELETE"]) {
        for (const path of [
          "/requests/v2",
          "/requests/v2/",
          "/requests/0x12",
          "/requests/0x34",
          "/requests/v2/signature",
          "/requests/%76%32",
          "/requests/:id",
          "/admin/keys",
          "/admin",
          "/nowhere",
        ]) {
          const at = `${round}: ${method} ${path}`;
          expect(await answerOf(exact, method, path), at).to.deep.equal(await answerOf(usual, method, path));
        }
      }
    }
    expect(await answerOf(exact, "GET", "/requests/0x12")).to.deep.equal([200, "one 0x12", [["x-all", "1"]]]);
  });

  it("finds a route that is added after others were asked for", async () => {
    const app = new Hono({ router: exactRouter() });
    app.get("/chains", (http) => http.text("chains"));
    expect((await answerOf(app, "POST", "/chains"))[0]).to.equal(404);
    app.post("/chains", (http) => http.text("posted"));
    expect((await answerOf(app, "POST", "/chains"))[1]).to.equal("posted");
  });
});

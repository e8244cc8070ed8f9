"""A web application that starts workflows and shows how they are doing.

pip install fastapi uvicorn
python app.py                                                    # or: uvicorn app:app
curl -X POST localhost:8000/reports -H 'content-type: application/json' -d '{"id": "may", "titles": ["Sales", "Costs"]}'
curl localhost:8000/reports/may

waymark dev app.py                                               # the workflow without the application
waymark run app:WriteReport --input '{"order": {"id": "june", "titles": ["Sales"]}}'
"""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel

from waymark import InstanceExists, InstanceNotFound, Status, Workflow, action, workflow


class ReportOrder(BaseModel):
    id: str
    titles: list[str]
    pause_seconds: float = 0


class Chapter(BaseModel):
    title: str
    text: str


class Report(BaseModel):
    chapters: list[Chapter]


class Writer:
    """What a request and an action both need, made anew for each: a database session, say."""

    def write(self, title: str) -> str:
        return f"All about {title.lower()}."


def get_writer() -> Writer:
    return Writer()


@action
async def write_chapter(title: str, writer: Annotated[Writer, Depends(get_writer)]) -> Chapter:
    return Chapter(title=title, text=writer.write(title))


@workflow
class WriteReport(Workflow):
    async def run(self, order: ReportOrder) -> Report:
        chapters = await asyncio.gather(*[write_chapter(title) for title in order.titles])
        await asyncio.sleep(order.pause_seconds)
        return Report(chapters=chapters)


app = FastAPI()


@app.get("/preview/{title}")
async def preview(title: str, writer: Annotated[Writer, Depends(get_writer)]) -> str:
    return writer.write(title)


@app.post("/reports", status_code=202)
async def start(order: ReportOrder) -> dict[str, str]:
    try:
        # The same order again finds the report that is being written.
        handle = await WriteReport().start(order, id=order.id)
    except InstanceExists:
        raise HTTPException(409, "another report of that id is being written") from None
    return {"instance_id": handle.instance_id}


@app.get("/reports/{id}")
async def show(id: str) -> dict[str, Any]:
    handle = WriteReport.get_handle(id)
    try:
        instance = await handle.describe()
    except InstanceNotFound:
        raise HTTPException(404, "there is no such report") from None
    shown = {"status": str(instance.status), "waits_for": instance.waits_for}
    if instance.status is Status.COMPLETED:
        shown["report"] = await handle.result()
    return shown


@app.delete("/reports/{id}")
async def cancel(id: str) -> dict[str, str]:
    handle = WriteReport.get_handle(id)
    try:
        await handle.cancel("nobody wants it any more")
    except InstanceNotFound:
        raise HTTPException(404, "there is no such report") from None
    return {"status": str(await handle.wait(timeout=30))}


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")))

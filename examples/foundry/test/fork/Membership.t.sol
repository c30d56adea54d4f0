// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {Call3Value} from "waybill/contracts/service/interfaces/RouterCalls.sol";
import {WaybillTest} from "waybill/contracts/testing/WaybillTest.sol";
import {Membership} from "../../src/Membership.sol";

/// @notice On forks of the emulator's two chains. `membership.test.ts` sets the environment.
contract MembershipForkTest is WaybillTest {
    using SignatureRecord for address;

    TestChain private _origin;
    TestChain private _destination;
    address private _member;
    address private _treasury;
    IERC20 private _token;
    uint256 private _fee;

    function setUp() external {
        _destination = _forkedChain(VM.envString("DESTINATION_RPC_URL"));
        _origin = _forkedChain(VM.envString("ORIGIN_RPC_URL"));
        _member = VM.envAddress("MEMBER");
        _treasury = VM.envAddress("TREASURY");
        _token = IERC20(VM.envAddress("TOKEN"));
        _fee = VM.envUint("FEE");
    }

    function test_ARecordOfTheServiceMakesAMember() external {
        Membership membership = _deploy(VM.envAddress("SOLVER"));
        bytes32 requestId = bytes32(VM.envBytes("REQUEST_ID"));
        _join(membership, requestId, VM.envBytes("SIGNATURE"));
    }

    function test_TheKitsSolverFillsOnTheOtherForkWhatItSignedOnTheFirst() external {
        Membership membership = _deploy(_solver());
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            _member,
            address(_token),
            _fee,
            _destination.id,
            _treasury
        );
        require(record.originChainId == _origin.id && _origin.id != _destination.id, "one chain");
        _join(membership, record.requestId, signature);

        _enter(_destination);
        require(address(membership).code.length == 0, "the origin's contract is on the destination");
        ServiceContracts memory service = _deployService();
        _fundSolver(2);
        uint256 before = _treasury.balance;
        Call3Value[] memory calls = new Call3Value[](1);
        calls[0] = Call3Value(_treasury, false, 1, "");
        _fillWithCalls(service, record.requestId, address(0), 2, calls, _treasury);
        require(_treasury.balance - before == 2, "the treasury is not paid");

        _enter(_origin);
        require(membership.isMember(_member), "the origin is another one");
    }

    function _deploy(address solver) private returns (Membership) {
        return new Membership(solver, address(_token), _fee, _destination.id, _treasury.word());
    }

    function _join(Membership membership, bytes32 requestId, bytes memory signature) private {
        uint256 before = _token.balanceOf(membership.solver());
        VM.prank(_member);
        _token.approve(address(membership), _fee);
        VM.prank(_member);
        membership.depositErc20(
            address(_token),
            _fee,
            requestId,
            _destination.id,
            _treasury.word(),
            signature
        );
        require(membership.isMember(_member), "no member");
        require(_token.balanceOf(membership.solver()) - before == _fee, "the solver is not paid to the unit");
    }
}
